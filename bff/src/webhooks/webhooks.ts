/**
 * Sends the notices of a user to an address of the user: the entries of the activity that the user has not caused. A trigger
 * appends each to the deliveries in the commit of the entry, so that one is neither lost nor sent by two processes.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { CreatedWebhook, WebhookSettings } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem, type Report } from '../problem.ts';
import { webhookLimits } from '../limits/field-rules.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Database } from '../store/database.ts';
import { createSeal } from '../store/seal.ts';
import type { Secrets } from '../store/secret.ts';
import { createPost, type Post } from './post.ts';
import { createWebhookStore, type DeliveryRow } from './webhooks.store.ts';

/** Requests at once: one of a user. */
const atOnce = 32;
/** In ms: what is due is looked for this often. */
const everyMs = 5000;

const isWeb = (url: URL) => /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
const putBody = z.strictObject({
  url: z
    .string()
    .max(webhookLimits.urlLength)
    .refine((text) => URL.canParse(text) && isWeb(new URL(text)), 'must be an http or https URL without a password'),
});

export function createWebhooks(options: {
  db: Database;
  feed: Pick<ChangeFeed, 'name'>;
  secrets: Secrets;
  allowsPrivate: boolean;
  now: () => Date;
  userOf: (c: Context) => Promise<string>;
  report: Report;
  post?: Post;
}) {
  const { db, feed, secrets, allowsPrivate, now, userOf, report, post = createPost({ allowsPrivate }) } = options;
  const store = createWebhookStore({ db, now });
  const seal = createSeal(secrets, 'webhook');
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();

  const deliverDue = shareNextRun(() => startDue().catch(report));

  async function startDue() {
    if (stop.signal.aborted) return;
    for (const { user_id: user, seq } of await store.due(atOnce + running.size)) {
      if (stop.signal.aborted || running.size >= atOnce) return;
      if (running.has(user)) continue;
      const delivered = deliver(user, seq)
        .catch(report)
        .finally(() => {
          running.delete(user);
          void deliverDue();
        });
      running.set(user, delivered);
    }
  }

  async function deliver(user: string, seq: number) {
    const [row, webhook] = [await store.claim(seq), await store.find(user)];
    const secret = webhook && seal.unseal({ sealed: webhook.sealed, owner: user });
    if (!row) return;
    // It was deleted, or its user: the entry was written at the same time.
    if (!webhook || secret === undefined) {
      await store.drop(user);
      return;
    }
    const body = bodyOf(row, feed.name);
    const time = Math.floor(now().getTime() / 1000);
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const headers = {
      ...{ 'content-type': 'application/json', 'user-agent': 'swarmdeck' },
      'x-swarmdeck-signature': `t=${time},v1=${signature}`,
    };
    await store.finish({ ...row, ...(await post({ url: webhook.url, headers, body, signal: stop.signal })) });
  }

  const timer = setInterval(() => void deliverDue(), everyMs).unref();

  const routes = new Hono();
  const noStore = { 'cache-control': 'no-store' };
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
    if (!(await store.addTest(await userOf(c)))) throw new Problem('webhook.not_found');
    void deliverDue();
    return c.body(null, 202);
  });

  return {
    routes,
    /** Sends what is due. For tests, resolves when it is sent. */
    async deliver() {
      await deliverDue();
      await Promise.all(running.values());
    },
    /** Requests that wait for a response. */
    measure: () => running.size,
    /** After a change of the server's secret. */
    sealAllAgain: () => seal.sealAllAgain({ db, table: 'webhooks' }),
    async close() {
      clearInterval(timer);
      stop.abort();
      await deliverDue();
      await Promise.all(running.values());
    },
  };
}

/** The id is another one in a database that was restored. */
function bodyOf(row: DeliveryRow, feed: string): string {
  const { seq, kind, at, resource_id, resource_name, swarm_id, swarm_name, amount, detail } = row;
  return JSON.stringify({
    ...{ id: `${feed}-${seq}`, kind, at },
    ...(amount !== null && { amount }),
    ...(resource_id !== null && {
      resource: { id: resource_id, ...(resource_name !== null && { name: resource_name }) },
    }),
    ...(swarm_id !== null && { swarm: { id: swarm_id, name: swarm_name } }),
    ...(detail !== null && { detail }),
  });
}
