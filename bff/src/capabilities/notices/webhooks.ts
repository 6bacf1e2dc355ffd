/**
 * Sends the notices of a user to an address of the user and to the user's browsers: the entries of the activity that the user
 * has not caused. A trigger appends each to the deliveries in the commit of the entry, so that one is neither lost nor sent by
 * two processes.
 */
import { Hono } from 'hono';
import type { Core } from '../../core/capability.ts';
import { BoundedMap } from '../../core/limits/bounded-map.ts';
import { pushLimits } from '../../core/limits/part-limits.ts';
import { deliveryLimits } from './limits.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Service } from '../../service/service.ts';
import { createSeal } from '../../core/store/seal.ts';
import { createDeliverySlots } from './delivery-slots.ts';
import { createPost, type PostResult } from './post.ts';
import { createDeliveryStore, isRefused, type DeliveryRow, type DueDelivery } from './deliveries.store.ts';
import { createPush } from './push.ts';
import { createPushStore } from './push.store.ts';
import { asksForAnswer, pushedNoticeOf, urgentKinds } from './pushed-notice.ts';
import { webhookRequestOf } from './webhook-request.ts';
import { pushRoutes, webhookRoutes } from './webhooks.routes.ts';
import { createWebhookStore } from './webhooks.store.ts';

/** The time in ms between two looks for what is due. */
const everyMs = 5000;

export function createWebhooks(
  options: Pick<
    Core,
    | 'db'
    | 'feed'
    | 'secrets'
    | 'publicUrl'
    | 'rates'
    | 'isCommand'
    | 'service'
    | 'now'
    | 'userOf'
    | 'sessionOf'
    | 'report'
  > & { allowsPrivate: boolean },
) {
  const { db, feed, secrets, publicUrl, allowsPrivate, isCommand, now, userOf, sessionOf, report } = options;
  // A test tells its user what is at an address.
  const tests = options.rates.webhook_tests;
  const activityOf: Service['activity']['ofAccount'] = (...given) => options.service().activity.ofAccount(...given);
  const post = createPost({ allowsPrivate });
  const deliveries = createDeliveryStore({ db, now });
  const webhooks = createWebhookStore({ db, now, activityOf });
  const browsers = createPushStore({ db, now });
  const push = createPush({ db, store: browsers, secrets, subject: publicUrl, now });
  const seal = createSeal(secrets, 'webhook');
  const clock = () => now().getTime();
  const slots = createDeliverySlots({ clock });
  const running = new Set<Promise<void>>();
  /** The hosts of push services whose refusal was logged. */
  const refusing = new BoundedMap<string, true>(pushLimits.refusingHosts);
  /** The deliveries of the last read, in fair order. */
  let due: DueDelivery[] = [];
  let isReadDue = false;
  const stop = new AbortController();

  /** Begins deliveries until no slot is free. What is due is read if that was asked for, or if none is left of the last read. */
  const startDue = shareNextRun(async () => {
    try {
      while (!stop.signal.aborted && slots.hasSlot()) {
        if (isReadDue || due.length === 0) {
          isReadDue = false;
          due = slots.inFairOrder(await deliveries.due({ most: deliveryLimits.users, but: slots.blockedUsers() }));
          if (due.length === 0) return;
        }
        const { user_id: user, seq } = due.shift()!;
        if (!stop.signal.aborted && slots.take(user)) begin(user, seq);
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
        slots.leave(user);
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
    const restMs = slots.charge(user, clock() - from);
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
    return webhookRequestOf(row, { url: webhook!.url, secret, feedName: feed.name, at: now() });
  }

  async function requestToBrowser(row: DeliveryRow, session: string) {
    const browser = await browsers.find(session);
    if (!browser) return undefined;
    const { language, shows_names, ...to } = browser;
    const invitation = asksForAnswer(row) ? await deliveries.openInvitation(row) : undefined;
    const notice = pushedNoticeOf(row, { language, showsNames: shows_names === 1, invitation });
    return push.requestOf({ ...to, message: JSON.stringify(notice), isUrgent: urgentKinds.has(notice.kind) });
  }

  const timer = isCommand ? undefined : setInterval(() => void deliverDue(), everyMs).unref();

  const screens = new Hono()
    .route('/', webhookRoutes({ store: webhooks, seal, tests, restsUntil: slots.restsUntil, userOf, deliverDue }))
    .route('/', pushRoutes({ browsers, push, allowsPrivate, sessionOf }));

  return {
    screens,
    rounds: {
      async deliveries() {
        await deliverDue();
        await Promise.all(running);
      },
    },
    gauges: () => [{ name: 'webhooks_sending', help: 'Requests to webhooks and push services.', value: running.size }],
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
