/** Webhooks and notifications of browsers. */
import type { Declaration } from '../../core/declaration.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';
import { deliveryLimits, noticesMemory } from './limits.ts';
import type { ActivityKind } from '../../core/contract/activity.schema.ts';

/**
 * `GET /api/account/push`: whether the browser of this session is sent notices. `key`: the server's public key, base64url, as
 * the browser's `applicationServerKey`. `refused`: how the browser's push service has refused the last message that it did not take.
 */
export interface PushSettings {
  key: string;
  subscription:
    | (Pick<PushSubscribe, 'endpoint' | 'language' | 'shows_names'> & { refused?: { status: number; answer: string } })
    | null;
}

/**
 * `PUT /api/account/push` (204): sends notices to the browser of this session until the session ends; `DELETE` (204) ends it
 * before. `endpoint` and `keys`: as the browser's push service has given them, base64url. `language`: of the app.
 * `shows_names`: notices contain the names of devices and swarms, which a lock screen may show.
 */
export interface PushSubscribe {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  language: string;
  shows_names: boolean;
}

/**
 * What the service worker of a browser receives. `amount`: how many of the same kind. The ids are those of a notice about one
 * device or swarm. The names are there if the user wants them on the screen. `invitation_id`: it can be answered.
 */
export interface PushedNotice {
  kind: ActivityKind;
  amount: number;
  language: string;
  user_id: string;
  resource_id?: string;
  swarm_id?: string;
  invitation_id?: string;
  resource_name?: string;
  swarm_name?: string;
}

/** `GET /api/account/webhook`; `DELETE` (204); `POST /api/account/webhook/test` (202, 404 `webhook.not_found`, 429 `rate.exceeded`). */
export interface WebhookSettings {
  webhook: Webhook | null;
}

/** The address to which the server sends the notices of a user. */
export interface Webhook {
  url: string;
  created_at: string;
  /** The last ones, newest first. */
  results: WebhookResult[];
}

/** `PUT /api/account/webhook` `{url}`: the only response with the secret that signs what is sent. Each PUT makes a new one. */
export interface CreatedWebhook extends Webhook {
  secret: string;
}

export interface WebhookResult {
  id: string;
  kind: ActivityKind | 'test';
  /** When it happened. */
  at: string;
  /** `failed`: after five attempts within an hour. */
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  tried_at: string | null;
  next_at: string | null;
  /** The status of the last response. */
  status: number | null;
  /** `private_address`, `redirect`, `timeout`, `dns` or `no_connection`, or the start of a response that is no success; null before the first attempt. */
  answer: string | null;
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/account/push': PushSettings;
    '/api/account/webhook': WebhookSettings;
  }
}

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
  memory: noticesMemory,
} as const satisfies Declaration;
