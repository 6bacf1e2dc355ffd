/** The requests of the app about the webhook and the browsers of a user. */
import { ECDH, randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { CreatedWebhook, PushSettings, WebhookSettings } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { Problem } from '../../core/problem.ts';
import { webhookLimits } from '../../core/limits/part-limits.ts';
import { requireTokens, type Rate } from '../../core/limits/rate.ts';
import type { createSeal } from '../../core/store/seal.ts';
import { curve, type createPush } from './push.ts';
import type { PushStore } from './push.store.ts';
import type { WebhookStore } from './webhooks.store.ts';

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

const noStore = { 'cache-control': 'no-store' };

export function webhookRoutes(deps: {
  store: WebhookStore;
  seal: ReturnType<typeof createSeal>;
  tests: Rate;
  /** In ms: until when nothing is sent to a user, because a request took long. */
  restsUntil: (user: string) => number;
  userOf: (c: Context) => string;
  deliverDue: () => Promise<void>;
}) {
  const { store, seal, tests, restsUntil, userOf, deliverDue } = deps;
  const routes = new Hono();
  routes.get('/account/webhook', async (c) =>
    c.json<WebhookSettings>({ webhook: await store.read(userOf(c)) }, 200, noStore),
  );
  routes.put('/account/webhook', async (c) => {
    const user = userOf(c);
    const { body } = await readJsonBody(c, putBody);
    const secret = `whs_${randomBytes(24).toString('base64url')}`;
    const sealed = seal.seal({ text: secret, owner: user });
    const webhook = (await store.put({ user, url: body.url, sealed })) && (await store.read(user));
    if (!webhook) throw new Problem('session.missing');
    return c.json<CreatedWebhook>({ ...webhook, secret }, 200, noStore);
  });
  routes.delete('/account/webhook', async (c) => {
    await store.remove(userOf(c));
    return c.body(null, 204);
  });
  routes.post('/account/webhook/test', async (c) => {
    const user = userOf(c);
    requireTokens(tests, user);
    if (!(await store.addTest(user, restsUntil(user)))) throw new Problem('webhook.not_found');
    void deliverDue();
    return c.body(null, 202);
  });
  return routes;
}

export function pushRoutes(deps: {
  browsers: PushStore;
  push: ReturnType<typeof createPush>;
  allowsPrivate: boolean;
  sessionOf: (c: Context) => { userName: string; sessionId: string };
}) {
  const { browsers, push, allowsPrivate, sessionOf } = deps;
  const schema = pushBody({ allowsPrivate });
  const routes = new Hono();
  routes.get('/account/push', async (c) => {
    const [key, found] = await Promise.all([push.publicKey(), browsers.find(sessionOf(c).sessionId)]);
    const refused = found && (await browsers.refusal(sessionOf(c)));
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
    if (!(await browsers.put({ user, session, ...body }))) throw new Problem('session.missing');
    return c.body(null, 204);
  });
  routes.delete('/account/push', async (c) => {
    const { userName: user, sessionId: session } = sessionOf(c);
    await browsers.remove({ user, session });
    return c.body(null, 204);
  });
  return routes;
}
