import type { SettingSource } from '../../core/config/config.ts';
import { readAddress } from '../../core/config/setting-values.ts';

/** The address of the metrics; undefined if there are none. */
export const readSettings = ({ setting }: SettingSource) =>
  setting('METRICS', undefined, readAddress, 'an address and a port, like 127.0.0.1:9464 or [::1]:9464');
