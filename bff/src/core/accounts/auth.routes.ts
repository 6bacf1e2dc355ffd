import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { JoinPreview, SignedOut, SignInOptions } from '../../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { notRouted, onError } from '../http/problem-response.ts';
import { noteRoute } from '../http/request-bindings.ts';
import { limits } from '../limits/field-rules.ts';
import type { Report } from '../problem.ts';
import { clearedSessionCookie } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.store.ts';

/** `session_id`: the only session to end. */
const signOutBody = z.strictObject({ session_id: z.string().max(limits.textLength).optional() });
const joinLinkBody = z.strictObject({ code: z.string().max(limits.textLength) });

/** The endpoints of `/auth`: those of the ways to sign in, and what all have in common. */
export function authRoutes({
  ways,
  offered,
  sessions,
  signOutUrl,
  previewJoinLink,
  requireAttempt,
  requireSameOrigin,
  report,
}: {
  /** The endpoints of each way. */
  ways: readonly Hono[];
  /** What the sign-in page offers. */
  offered: SignInOptions;
  sessions: Pick<Sessions, 'check' | 'end'>;
  /** Where the user of this session can also sign out at the provider. */
  signOutUrl: (session: Session) => Promise<string | undefined>;
  /** @throws Problem `link.not_found` */
  previewJoinLink: (code: string) => Promise<JoinPreview>;
  /** By address. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  /** @throws Problem `origin.refused` if another site could have sent the request */
  requireSameOrigin: (request: Request) => void;
  report: Report;
}): Hono {
  const routes = new Hono().basePath('/auth');
  routes.onError(onError(report));

  routes.use(noteRoute);
  routes.use(async (c, next) => {
    requireSameOrigin(c.req.raw);
    await next();
    c.header('cache-control', 'no-store');
  });

  routes.get('/options', (c) => c.json<SignInOptions>(offered));

  for (const way of ways) routes.route('/', way);

  routes.post('/sign-out', async (c) => {
    const { session_id } = (await readJsonBody(c, signOutBody)).body;
    const current = await sessions.check(c.req.raw);
    if (session_id !== undefined) {
      if (current?.sessionId === session_id) await sessions.end(current);
      // No header clears the cookie: the answer to a sign-in may have set another one meanwhile.
      return c.body(null, 204);
    }
    if (current) await sessions.end(current);
    const url = current && (await signOutUrl(current));
    const cleared = { 'set-cookie': clearedSessionCookie };
    return url === undefined ? c.body(null, 204, cleared) : c.json<SignedOut>({ url }, 200, cleared);
  });

  // A POST, so that no log has the code.
  routes.post('/join-link', async (c) => {
    requireAttempt(c, 'join');
    const { body } = await readJsonBody(c, joinLinkBody);
    return c.json(await previewJoinLink(body.code));
  });

  routes.all('*', (c) => {
    throw notRouted(routes, c.req.path);
  });
  return routes;
}
