import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import type { SignedOut, SignInOptions } from '../../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { notRouted, onError } from '../http/problem-response.ts';
import { noteRoute } from '../http/request-bindings.ts';
import { limits } from '../limits/field-rules.ts';
import type { Report } from '../problem.ts';
import { clearedSessionCookie } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.store.ts';

/** `session_id`: the only session to end. */
const signOutBody = z.strictObject({ session_id: z.string().max(limits.textLength).optional() });

/** The endpoints of `/auth`: those of the ways to sign in, and what all have in common. */
export function authRoutes({
  routes: parts,
  offered,
  sessions,
  signOutUrl,
  requireSameOrigin,
  report,
}: {
  /** The endpoints of each way, and of capabilities. */
  routes: readonly Hono[];
  /** What the sign-in page offers. */
  offered: SignInOptions;
  sessions: Pick<Sessions, 'check' | 'end'>;
  /** Where the user of this session can also sign out at the provider. */
  signOutUrl: (session: Session) => Promise<string | undefined>;
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

  for (const part of parts) routes.route('/', part);

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

  routes.all('*', (c) => {
    throw notRouted(routes, c.req.path);
  });
  return routes;
}
