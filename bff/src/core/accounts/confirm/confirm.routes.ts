import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import type { ConfirmingWays } from '../../../contract.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { Problem } from '../../problem.ts';
import type { Confirmation } from './confirm.ts';
import type { Sessions } from '../sessions.store.ts';

/** The user of a session shows again that it is them. */
export function confirmRoutes({
  confirmation,
  sessions,
  requireOwnPage,
}: {
  confirmation: Confirmation;
  /** @throws Problem `origin.refused` */
  requireOwnPage: (request: Request) => void;
  sessions: Pick<Sessions, 'check'>;
}): Hono {
  const routes = new Hono();
  const body = z.strictObject(
    Object.fromEntries(confirmation.confirming().map(({ name, schema }) => [name, schema.optional()])),
  );

  /** @throws Problem `session.missing` */
  async function requireSession(request: Request) {
    const session = await sessions.check(request);
    if (!session) throw new Problem('session.missing');
    return session;
  }

  routes.get('/confirm', async (c) => {
    requireOwnPage(c.req.raw);
    const session = await requireSession(c.req.raw);
    return c.json<ConfirmingWays>({ ways: await confirmation.waysOf(session) });
  });

  routes.post('/confirm', async (c) => {
    const request = c.req.raw;
    await requireSession(request);
    const proof = (await readJsonBody(c, body)).body;
    // The body may have taken minutes to arrive.
    const session = await requireSession(request);
    const setCookie = await confirmation.confirm({ session, proof, request });
    return c.body(null, 204, { 'set-cookie': setCookie });
  });
  return routes;
}
