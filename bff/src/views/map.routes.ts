import type { Context, Hono } from 'hono';
import type { MapView } from '../contract.ts';
import { noStore, patienceMs, requireAudience } from './caller.ts';
import type { RequesterOf, Caller } from './caller.ts';
import type { DeviceIndex } from './device-index.ts';
import { readMapQuery, readPictureQuery } from './filters.ts';
import { paramsOf } from './query-reader.ts';

/** Accepted, and not refused by `;q=0`. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/;

/**
 * `GET /map`: a MapView. Query: `zoom` from 0 to 22, `bbox` (default: the world), and the filters of the list. `GET
 * /map/density`: the number of devices in each pixel of a view, as bytes (contract.ts). Query: `bbox`, `width` and
 * `height` up to 2048, and the filters of the list.
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`.
 */
export function mapRoutes(
  app: Hono,
  options: {
    index: DeviceIndex;
    requesterOf: RequesterOf;
    caller: Pick<Caller, 'requireSwarm'>;
  },
): void {
  const { index, requesterOf, caller } = options;

  app.get('/map', async (c) => {
    const requester = await requesterOf(c);
    const { filters, ...view } = readMapQuery(paramsOf(c.req));
    await requireAudience(caller, { user: requester.user, audience: filters.audience });
    const gzip = mayGzip(c);
    const reply = await index.query('view', requester, { filters, ...view, gzip, patienceMs });
    if ('building' in reply) return c.json(nothingYet(reply.building), 200, noStore);
    return c.body(reply.answer as Packed, 200, { ...noStore, 'content-type': 'application/json', ...packedAs(gzip) });
  });

  app.get('/map/density', async (c) => {
    const requester = await requesterOf(c);
    const { filters, picture } = readPictureQuery(paramsOf(c.req));
    await requireAudience(caller, { user: requester.user, audience: filters.audience });
    const gzip = mayGzip(c);
    const reply = await index.query('density', requester, { filters, picture, gzip, patienceMs });
    if ('building' in reply) return c.body(null, 202, { ...noStore, 'retry-after': '1' });
    const type = { 'content-type': 'application/octet-stream' };
    return c.body(reply.answer as Packed, 200, { ...noStore, ...type, ...packedAs(gzip) });
  });
}

/** As the thread returns it, which also compresses it. */
type Packed = string | Uint8Array<ArrayBuffer>;
const mayGzip = (c: Context) => takesGzip.test(c.req.header('accept-encoding') ?? '');
const packedAs = (gzip: boolean) => ({ vary: 'accept-encoding', ...(gzip && { 'content-encoding': 'gzip' }) });

function nothingYet(building: number): MapView {
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
