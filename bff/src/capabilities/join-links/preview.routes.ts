import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { readJsonBody } from '../../core/http/json-body.ts';
import { limits } from '../../core/limits/field-rules.ts';
import type { JoinLinkUseCases } from './join-links.use-cases.ts';

const body = z.strictObject({ code: z.string().max(limits.textLength) });

/** `POST /auth/join-link`: what a link shows before sign-in. */
export function previewRoutes({
  useCases,
  requireAttempt,
}: {
  useCases: Pick<JoinLinkUseCases, 'previewJoinLink'>;
  /** By address. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
}): Hono {
  const routes = new Hono();
  // A POST, so that no log has the code.
  routes.post('/join-link', async (c) => {
    requireAttempt(c, 'join');
    const { code } = (await readJsonBody(c, body)).body;
    return c.json(await useCases.previewJoinLink(code));
  });
  return routes;
}
