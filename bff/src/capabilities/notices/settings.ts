import type { SettingSource } from '../../core/config/config.ts';
import { oneOf } from '../../core/config/setting-values.ts';

/** Whether webhooks may have private and loopback addresses. */
export const readSettings = ({ setting }: SettingSource): 'public' | 'private' =>
  setting('WEBHOOKS', 'public', oneOf(['public', 'private'] as const), 'public or private');
