/**
 * Sends the notices of a user to an address of the user and to the user's browsers: the entries of the activity that the user
 * has not caused. A trigger appends each to the deliveries in the commit of the entry, so that one is neither lost nor sent by
 * two processes.
 */
import { createHmac, ECDH, randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { CreatedWebhook, PushedNotice, PushSettings, WebhookSettings } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem, type Report } from '../problem.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import { deliveryLimits, pushLimits, webhookLimits } from '../limits/field-rules.ts';
import { requireTurn, type Rate } from '../limits/rate.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Database } from '../store/database.ts';
import { createSeal } from '../store/seal.ts';
import type { Secrets } from '../store/secret.ts';
import { createDeliveryTurns } from './delivery-turns.ts';
import { createPost, type PostResult } from './post.ts';
import { createPush, curve } from './push.ts';
import {
  createWebhookStore,
  isRefused,
  type WebhookStore,
  type DeliveryRow,
  type DueDelivery,
} from './webhooks.store.ts';

/** Notices that should wake a phone that sleeps. */
const urgentKinds = new Set<string>(['resource.silent', 'invitation.sent']);
/** The time in ms between two looks for what is due. */
const everyMs = 5000;

const isWeb = (url: URL) => /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
const address = z
  .string()
  .max(webhookLimits.urlLength)
  .refine((text) => URL.canParse(text) && isWeb(new URL(text)), 'must be an http or https URL without a password');
const putBody = z.strictObject({ url: address });
const pushBody = ({ allowsPrivate }: { allowsPrivate: boolean }) =>
  z.strictObject({
    // Push services are reached by HTTPS (RFC 8030). A stand-in for tests is on this machine.
    endpoint: address.refine((text) => {
      const { protocol, hostname } = URL.parse(text) ?? {};
      return protocol === 'https:' || (allowsPrivate && hostname === '127.0.0.1');
    }, 'must be an https URL'),
    keys: z.strictObject({
      p256dh: z
        .string()
        .regex(/^[\w-]{87}$/)
        .refine(isPoint, 'must be a public key'),
      auth: z.string().regex(/^[\w-]{22}$/),
    }),
    language: z.string().regex(/^[A-Za-z-]{2,16}$/),
    shows_names: z.boolean(),
  });

function isPoint(key: string): boolean {
  try {
    return ECDH.convertKey(key, curve, 'base64url').length > 0;
  } catch {
    return false;
  }
}

export function createWebhooks(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'name'>;
  secrets: Secrets;
  publicUrl: string;
  allowsPrivate: boolean;
  /** The rate of each user for tests of the webhook. A test tells its user what is at an address. */
  tests: Rate;
  /** Sends nothing. */
  isCommand: boolean;
  now: () => Date;
  userOf: (c: Context) => Promise<string>;
  sessionOf: (c: Context) => { userName: string; sessionId: string };
  report: Report;
}) {
  const { db, feed, secrets, publicUrl, allowsPrivate, tests, isCommand, now, userOf, sessionOf, report } = options;
  const post = createPost({ allowsPrivate });
  const store = createWebhookStore({ db, now });
  const push = createPush({ db, store, secrets, subject: publicUrl, now });
  const seal = createSeal(secrets, 'webhook');
  const clock = () => now().getTime();
  const turns = createDeliveryTurns({ clock });
  const running = new Set<Promise<void>>();
  /** The hosts of push services whose refusal was logged. */
  const refusing = new BoundedMap<string, true>(pushLimits.refusingHosts);
  /** The deliveries of the last read, in turn. */
  let due: DueDelivery[] = [];
  let isReadDue = false;
  const stop = new AbortController();

  /** Begins deliveries until no place is free. What is due is read if that was asked for, or if none is left of the last read. */
  const startDue = shareNextRun(async () => {
    try {
      while (!stop.signal.aborted && turns.hasPlace()) {
        if (isReadDue || due.length === 0) {
          isReadDue = false;
          due = turns.inTurn(await store.due({ most: deliveryLimits.users, but: turns.waiting() }));
          if (due.length === 0) return;
        }
        const { user_id: user, seq } = due.shift()!;
        if (!stop.signal.aborted && turns.take(user)) begin(user, seq);
      }
    } catch (error) {
      report(error);
    }
  });
  const deliverDue = () => {
    isReadDue = true;
    return startDue();
  };

  function begin(user: string, seq: number) {
    const delivered = deliver(user, seq)
      .catch(report)
      .finally(() => {
        turns.leave(user);
        running.delete(delivered);
        void startDue();
      });
    running.add(delivered);
  }

  async function deliver(user: string, seq: number) {
    const row = await store.claim(seq);
    if (!row) return;
    const { session_id: session } = row;
    const request = await (session === null ? requestToWebhook(row) : requestToBrowser(row, session));
    // It was deleted, or its user: the entry was written at the same time.
    if (!request) return store.drop({ user, session });
    const from = clock();
    const result = await post({ ...request, signal: stop.signal });
    const restMs = turns.charge(user, clock() - from);
    if (stop.signal.aborted && result.status === null) return store.giveBack(row);
    // The user has taken the permission back, or the browser is gone.
    if (session !== null && (result.status === 404 || result.status === 410))
      return store.removePush({ user, session, endpoint: request.url });
    if (session !== null && isRefused(result.status)) reportRefusal(new URL(request.url).host, result);
    await store.finish({ ...row, ...result, restMs });
  }

  /** Once for each push service: it refuses the server, such as its PUBLIC_URL, and so the messages of all users. */
  function reportRefusal(host: string, { status, answer }: PostResult) {
    if (refusing.has(host)) return;
    refusing.set(host, true);
    report(new Error(`The push service ${host} refuses messages: ${status} ${answer}`));
  }

  async function requestToWebhook(row: DeliveryRow) {
    const webhook = await store.find(row.user_id);
    const secret = webhook && seal.unseal({ sealed: webhook.sealed, owner: row.user_id });
    if (secret === undefined) return undefined;
    const body = bodyOf(row, feed.name);
    const time = Math.floor(now().getTime() / 1000);
    const signatureOf = (text: string) => createHmac('sha256', secret).update(text);
    const id = deliveryId(row, feed.name);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'swarmdeck',
      'x-swarmdeck-signature': `t=${time},v1=${signatureOf(`${time}.${body}`).digest('hex')}`,
      // https://www.standardwebhooks.com: its libraries verify them. All tries of a delivery have the same id.
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${signatureOf(`${id}.${time}.${body}`).digest('base64')}`,
    };
    return { url: webhook!.url, headers, body };
  }

  async function requestToBrowser(row: DeliveryRow, session: string) {
    const browser = await store.findPush(session);
    if (!browser) return undefined;
    const { language, shows_names, ...to } = browser;
    const { kind, resource_id, resource_name, swarm_id, swarm_name, amount } = row;
    const invitation = kind === 'invitation.sent' ? await store.openInvitation(row) : undefined;
    const message: PushedNotice = {
      kind: kind as PushedNotice['kind'],
      // In a notice about one device, the amount is how often it fell silent.
      amount: resource_id === null ? (amount ?? 1) : 1,
      language,
      user_id: row.user_id,
      ...(resource_id !== null && { resource_id }),
      ...(swarm_id !== null && { swarm_id }),
      ...(invitation && { invitation_id: invitation }),
      ...(shows_names === 1 && resource_name !== null && { resource_name }),
      ...(shows_names === 1 && swarm_name !== null && { swarm_name }),
    };
    return push.requestOf({ ...to, message: JSON.stringify(message), isUrgent: urgentKinds.has(message.kind) });
  }

  const timer = isCommand ? undefined : setInterval(() => void deliverDue(), everyMs).unref();

  const routes = new Hono()
    .route('/', webhookRoutes({ store, seal, tests, userOf, deliverDue }))
    .route('/', pushRoutes({ store, push, allowsPrivate, sessionOf }));

  return {
    routes,
    /** Sends what is due. For tests, resolves when it is sent. */
    async deliver() {
      await deliverDue();
      await Promise.all(running);
    },
    /** Requests that wait for a response. */
    measure: () => running.size,
    /** Is called after a change of the server's secret. */
    async sealAllAgain() {
      await seal.sealAllAgain({ db, table: 'webhooks' });
      await push.sealAllAgain();
    },
    async close() {
      clearInterval(timer);
      stop.abort();
      await startDue();
      await Promise.all(running);
    },
  };
}

const noStore = { 'cache-control': 'no-store' };

function webhookRoutes(parts: {
  store: WebhookStore;
  seal: ReturnType<typeof createSeal>;
  tests: Rate;
  userOf: (c: Context) => Promise<string>;
  deliverDue: () => Promise<void>;
}) {
  const { store, seal, tests, userOf, deliverDue } = parts;
  const routes = new Hono();
  routes.get('/account/webhook', async (c) =>
    c.json<WebhookSettings>({ webhook: await store.read(await userOf(c)) }, 200, noStore),
  );
  routes.put('/account/webhook', async (c) => {
    const user = await userOf(c);
    const { body } = await readJsonBody(c, putBody);
    const secret = `whs_${randomBytes(24).toString('base64url')}`;
    const sealed = seal.seal({ text: secret, owner: user });
    const webhook = (await store.put({ user, url: body.url, sealed })) && (await store.read(user));
    if (!webhook) throw new Problem('session.missing');
    return c.json<CreatedWebhook>({ ...webhook, secret }, 200, noStore);
  });
  routes.delete('/account/webhook', async (c) => {
    await store.remove(await userOf(c));
    return c.body(null, 204);
  });
  routes.post('/account/webhook/test', async (c) => {
    const user = await userOf(c);
    requireTurn(tests, user);
    if (!(await store.addTest(user))) throw new Problem('webhook.not_found');
    void deliverDue();
    return c.body(null, 202);
  });
  return routes;
}

function pushRoutes(parts: {
  store: WebhookStore;
  push: ReturnType<typeof createPush>;
  allowsPrivate: boolean;
  sessionOf: (c: Context) => { userName: string; sessionId: string };
}) {
  const { store, push, allowsPrivate, sessionOf } = parts;
  const schema = pushBody({ allowsPrivate });
  const routes = new Hono();
  routes.get('/account/push', async (c) => {
    const [key, found] = await Promise.all([push.publicKey(), store.findPush(sessionOf(c).sessionId)]);
    const refused = found && (await store.pushRefusal(sessionOf(c)));
    const subscription = found
      ? {
          endpoint: found.endpoint,
          language: found.language,
          shows_names: found.shows_names === 1,
          ...(refused && { refused }),
        }
      : null;
    return c.json<PushSettings>({ key, subscription }, 200, noStore);
  });
  routes.put('/account/push', async (c) => {
    const { userName: user, sessionId: session } = sessionOf(c);
    const { body } = await readJsonBody(c, schema);
    if (!(await store.putPush({ user, session, ...body }))) throw new Problem('session.missing');
    return c.body(null, 204);
  });
  routes.delete('/account/push', async (c) => {
    const { userName: user, sessionId: session } = sessionOf(c);
    await store.removePush({ user, session });
    return c.body(null, 204);
  });
  return routes;
}

/** Another one in a database that was restored. */
const deliveryId = ({ seq }: DeliveryRow, feed: string) => `${feed}-${seq}`;

function bodyOf(row: DeliveryRow, feed: string): string {
  const { kind, at, resource_id, resource_name, swarm_id, swarm_name, amount, detail } = row;
  return JSON.stringify({
    id: deliveryId(row, feed),
    kind,
    at,
    ...(amount !== null && { amount }),
    ...(resource_id !== null && {
      resource: { id: resource_id, ...(resource_name !== null && { name: resource_name }) },
    }),
    ...(swarm_id !== null && { swarm: { id: swarm_id, name: swarm_name } }),
    ...(detail !== null && { detail }),
  });
}
