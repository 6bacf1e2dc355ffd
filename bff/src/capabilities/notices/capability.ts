import type { Core, Definition } from '../../core/capability.ts';
import { readSettings } from './settings.ts';
import { createWebhooks } from './webhooks.ts';

export const notices = {
  readSettings,
  create: (core: Core, webhooks: ReturnType<typeof readSettings> | undefined) =>
    createWebhooks({ ...core, allowsPrivate: webhooks === 'private' }),
} satisfies Definition;
