import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { NewRecoveryCodes } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import { foldUserName } from '../../core/accounts/account-rules.ts';
import { fromOf } from '../../core/accounts/from.ts';
import type { Sessions } from '../../core/accounts/sessions.store.ts';
import { refusal, type Redirect, type SingleSignOn } from './single-sign-on.ts';

const text = z.string().max(limits.textLength);
const beginBody = z.strictObject({ purpose: z.enum(['link', 'confirm']), next: text });
const newcomerBody = z.strictObject({ username: text.transform((typed) => foldUserName(typed).trim()) });

/** The endpoints of `/auth` for sign-in by a provider. */
export function singleSignOnRoutes(options: {
  singleSignOn: SingleSignOn;
  sessions: Pick<Sessions, 'check'>;
  /** By address. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  /** Counts going to a provider and coming back, which an office with one address does more often. */
  requireVisit: (c: Context, what: string) => void;
}): Hono {
  const { singleSignOn, sessions, requireAttempt, requireVisit } = options;
  const routes = new Hono();

  // A link, so that a page of the provider can begin a sign-in too. What goes wrong is shown by the app.
  routes.get('/oidc/:provider', async (c) => {
    const { provider } = c.req.param();
    const next = c.req.query('next') ?? '/';
    // A picture of another site would use up the attempts of its viewers.
    if ((c.req.header('sec-fetch-dest') ?? 'document') !== 'document') throw new Problem('origin.refused');
    try {
      requireVisit(c, 'begin');
      return redirect(c, await singleSignOn.beginSignIn({ provider, next, request: c.req.raw }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return redirect(c, refusal({ problem: error, provider, purpose: 'sign-in', next }));
    }
  });

  routes.get('/oidc/:provider/callback', async (c) => {
    const { provider } = c.req.param();
    try {
      requireVisit(c, 'return');
      return redirect(c, await singleSignOn.finish({ ...fromOf(c), provider, search: new URL(c.req.url).search }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return redirect(c, refusal({ problem: error, provider, purpose: 'sign-in', next: undefined }));
    }
  });

  // No link: another site could open it, and link its own user of the provider to this account.
  routes.post('/oidc/:provider', async (c) => {
    requireVisit(c, 'begin');
    const { body } = await readJsonBody(c, beginBody);
    const session = await sessions.check(c.req.raw);
    if (!session) throw new Problem('session.missing');
    const { to, cookies } = await singleSignOn.beginWithSession({
      ...c.req.param(),
      ...body,
      session,
      request: c.req.raw,
    });
    return withCookies(c.json({ url: to }), cookies);
  });

  routes.get('/sign-up/identity', (c) => c.json(singleSignOn.newcomer(c.req.raw)));

  routes.post('/sign-up/identity', async (c) => {
    requireAttempt(c, 'sign-up');
    const { username: userName } = (await readJsonBody(c, newcomerBody)).body;
    const { cookies, ...codes } = await singleSignOn.signUp({ ...fromOf(c), userName });
    const signedUp: { user_id: string } & NewRecoveryCodes = { user_id: userName, ...codes };
    return withCookies(c.json(signedUp, 201), cookies);
  });
  return routes;
}

const redirect = (c: Context, { to, cookies }: Redirect): Response => withCookies(c.redirect(to, 303), cookies);

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
