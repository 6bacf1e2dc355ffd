/** Webhooks and notifications of browsers. */
import type { Declaration } from '../../core/declaration.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';
import { deliveryLimits } from '../../core/limits/part-limits.ts';

export const noticesRows = {
  limits: {
    'GET /api/account/push': point,
    'PUT /api/account/push': written,
    'DELETE /api/account/push': write,
    'GET /api/account/webhook': point,
    'PUT /api/account/webhook': written,
    'DELETE /api/account/webhook': write,
    'POST /api/account/webhook/test': write,
  },
  rates: {
    webhook_tests: { who: 'user', what: 'tests of the webhook', most: 6, per: 'minute', burst: 6 },
  },
  jobs: {
    deliveries: { rows: deliveryLimits.users, KiB: 256, statements: 4, in: ['capabilities/notices/webhooks.ts'] },
  },
  problems: {
    'webhook.not_found': [404, 'Webhook not found', 'app'],
  },
  tablesOfUser: ['webhooks', 'webhook_deliveries'],
} as const satisfies Declaration;
