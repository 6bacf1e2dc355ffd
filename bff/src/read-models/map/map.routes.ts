import type { Hono } from 'hono';
import type { MapView } from '../../contract.ts';
import { paramsOf } from '../../core/http/query.ts';
import { acceptsGzip, noStore, packedJson, requireAudience, type ViewOptions } from '../caller.ts';
import type { IndexClient } from '../index/index-client.ts';
import { readMapQuery } from '../devices/device-query-parser.ts';

/** How long a map waits for an index that is being built before it gets the progress instead, in ms. */
const timeoutMs = 1000;

/**
 * `GET /map`: a MapView. Query: `zoom` from 0 to 22, `bbox` (default: the world), and the filters of the list.
 *
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`.
 */
export function mapRoutes(app: Hono, { index, requesterOf, requireSwarm }: ViewOptions & { index: IndexClient }): void {
  app.get('/map', async (c) => {
    const requester = requesterOf(c);
    const { filters, ...view } = readMapQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience: filters.audience });
    const gzip = acceptsGzip(c);
    const reply = await index.query('map', requester, { filters, ...view, gzip, timeoutMs });
    if ('building' in reply) return c.json(emptyMap(reply.building), 200, noStore);
    return c.body(reply.answer as Packed, 200, packedJson(gzip));
  });
}

/** The output of the thread, which also compresses it. */
type Packed = string | Uint8Array<ArrayBuffer>;

function emptyMap(building: number): MapView {
  return {
    type: 'FeatureCollection',
    features: [],
    total: 0,
    unplaced: 0,
    version: 'building',
    bounds: null,
    building,
  };
}
