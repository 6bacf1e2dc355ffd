/**
 * Sends the notices of a user to an address of the user and to the user's browsers: the entries of the activity that the user
 * has not caused. A trigger appends each to the deliveries in the commit of the entry, so that one is neither lost nor sent by
 * two processes.
 */
import { createHmac } from 'node:crypto';
import { Hono, type Context } from 'hono';
import type { PushedNotice } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import type { Report } from '../problem.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import { deliveryLimits, pushLimits } from '../limits/part-limits.ts';
import type { Rate } from '../limits/rate.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Database } from '../store/database.ts';
import { createSeal } from '../store/seal.ts';
import type { Secrets } from '../store/secret.ts';
import { createDeliveryTurns } from './delivery-turns.ts';
import { createPost, type PostResult } from './post.ts';
import { createDeliveryStore, isRefused, type DeliveryRow, type DueDelivery } from './deliveries.store.ts';
import { createPush } from './push.ts';
import { createPushStore } from './push.store.ts';
import { pushRoutes, webhookRoutes } from './webhooks.routes.ts';
import { createWebhookStore } from './webhooks.store.ts';

/** Notices that should wake a phone that sleeps. */
const urgentKinds = new Set<string>([
  'resource.silent',
  'swarm.silent',
  'member.ending',
  'invitation.sent',
  'invitation.end_offered',
  'account.signed_in_new',
]);
/** The time in ms between two looks for what is due. */
const everyMs = 5000;

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
  userOf: (c: Context) => string;
  sessionOf: (c: Context) => { userName: string; sessionId: string };
  report: Report;
}) {
  const { db, feed, secrets, publicUrl, allowsPrivate, tests, isCommand, now, userOf, sessionOf, report } = options;
  const post = createPost({ allowsPrivate });
  const deliveries = createDeliveryStore({ db, now });
  const webhooks = createWebhookStore({ db, now });
  const browsers = createPushStore({ db, now });
  const push = createPush({ db, store: browsers, secrets, subject: publicUrl, now });
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
          due = turns.inTurn(await deliveries.due({ most: deliveryLimits.users, but: turns.waiting() }));
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
    const row = await deliveries.claim(seq);
    if (!row) return;
    const { session_id: session } = row;
    const request = await (session === null ? requestToWebhook(row) : requestToBrowser(row, session));
    // It was deleted, or its user: the entry was written at the same time.
    if (!request) return deliveries.drop({ user, session });
    const from = clock();
    const result = await post({ ...request, signal: stop.signal });
    const restMs = turns.charge(user, clock() - from);
    if (stop.signal.aborted && result.status === null) return deliveries.giveBack(row);
    // The user has taken the permission back, or the browser is gone.
    if (session !== null && (result.status === 404 || result.status === 410))
      return browsers.remove({ user, session, endpoint: request.url });
    if (session !== null && isRefused(result.status)) reportRefusal(new URL(request.url).host, result);
    await deliveries.finish({ ...row, ...result, restMs });
  }

  /** Once for each push service: it refuses the server, such as its PUBLIC_URL, and so the messages of all users. */
  function reportRefusal(host: string, { status, answer }: PostResult) {
    if (refusing.has(host)) return;
    refusing.set(host, true);
    report(new Error(`The push service ${host} refuses messages: ${status} ${answer}`));
  }

  async function requestToWebhook(row: DeliveryRow) {
    const webhook = await webhooks.find(row.user_id);
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
    const browser = await browsers.find(session);
    if (!browser) return undefined;
    const { language, shows_names, ...to } = browser;
    const { kind, resource_id, resource_name, swarm_id, swarm_name, amount } = row;
    const invitation =
      kind === 'invitation.sent' || kind === 'invitation.end_offered'
        ? await deliveries.openInvitation(row)
        : undefined;
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
    .route('/', webhookRoutes({ store: webhooks, seal, tests, userOf, deliverDue }))
    .route('/', pushRoutes({ browsers, push, allowsPrivate, sessionOf }));

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
