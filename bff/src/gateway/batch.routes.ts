import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import type { BatchRequest, BatchResponse, BatchResponses } from '../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { batchLimits, limits } from '../limits/field-limits.ts';
import type { GatewayEnv } from './gateway-env.ts';

const batchBody: z.ZodType<{ requests: BatchRequest[] }> = z.strictObject({
  requests: z
    .array(
      z.strictObject({
        method: z.enum(['POST', 'PUT', 'DELETE']),
        path: z
          .string()
          .max(limits.pathLength)
          .regex(/^\/api\/[\w/-]+$/, 'must be a path below /api/, without a query'),
        body: z.string().exactOptional(),
        idempotency_key: z
          .string()
          .regex(/^[!-~]{1,255}$/, 'must have 1 to 255 visible ASCII characters')
          .exactOptional(),
      }),
    )
    .min(1)
    .max(batchLimits.requests),
});

/** These run at the same time, and share a commit. Other users' requests run between them. */
const atOnce = 20;

/**
 * `POST /batch`: many writes of the service in one request, for bulk actions. Each one has its own checks, counts as a
 * request in the user's rate limit, and has its own response. Their order is not defined.
 */
export function batchRoutes({
  serve,
}: {
  /** Passes a request to the service as the user of the session. */
  serve: (request: Request, bindings: GatewayEnv['Bindings']) => Response | Promise<Response>;
}): Hono<GatewayEnv> {
  const routes = new Hono<GatewayEnv>();
  routes.post('/batch', async (c) => {
    const { body } = await readJsonBody(c, batchBody);
    // Only the response to the batch may be written to the connection.
    const { outgoing: _outgoing, ...bindings } = c.env;
    const responses: BatchResponse[] = [];
    for (let from = 0; from < body.requests.length; from += atOnce) {
      // The session may have ended since the last ones. A client that signs in again repeats the batch.
      await bindings.recheckAccess?.();
      const some = body.requests.slice(from, from + atOnce);
      const answers = await Promise.all(some.map(async (request) => serve(requestOf(request), bindings)));
      responses.push(...(await Promise.all(answers.map(responseOf))));
    }
    return c.json<BatchResponses>({ responses }, 200, { 'cache-control': 'no-store' });
  });
  return routes;
}

function requestOf({ method, path, body, idempotency_key }: BatchRequest): Request {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
  };
  // The service does not use the host.
  return new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) });
}

async function responseOf(response: Response): Promise<BatchResponse> {
  const wait = response.headers.get('retry-after');
  return { status: response.status, body: await response.text(), ...(wait !== null && { retry_after: Number(wait) }) };
}
