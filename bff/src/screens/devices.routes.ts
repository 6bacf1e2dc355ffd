import type { Context, Hono } from 'hono';
import type { DevicePage, MapView, WallView } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { paramsOf } from '../http/query.ts';
import { noStore, requireAudience } from './request-access.ts';
import type { RequesterOf, ViewOptions } from './request-access.ts';
import type { IndexClient } from './index-client.ts';
import { readDevice, readDevicePage } from './devices.store.ts';
import { readAudienceQuery, readListQuery, readMapQuery, readPictureQuery } from './filter-query.ts';
import type { ListQuery } from './filters.ts';
import { recentMs } from './recent-changes.ts';

/** How long a map or a wall waits for an index that is being built before it gets the progress instead, in ms. */
const timeoutMs = 1000;
/** Accepted, and not refused by `;q=0`. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/;

/**
 * - `GET /devices`: a DevicePage. `GET /swarms/:swarm_id/members`: a MemberPage, for users who may list them. Query: the
 *   contract's DeviceFilters, `sort`, `limit` from 0 to 1000, `counts=later` (see DevicePage's `building`), and one of
 *   `cursor` (`next` of the previous page), `offset` (a number of rows) or `around` (the id of a device in the middle of
 *   the page).
 * - `GET /devices/:id?audience=`: the Device as this audience sees it, or a Member if the audience is a swarm.
 * - `GET /map`: a MapView. Query: `zoom` from 0 to 22, `bbox` (default: the world), and the filters of the list.
 * - `GET /map/density`: the number of devices in each pixel of a view, as bytes (contract.ts). Query: `bbox`, `width` and
 *   `height` up to 2048, and the filters of the list.
 * - `GET /wall?audience=`: a WallView.
 *
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`, `resource.not_found`.
 */
export function deviceRoutes(
  app: Hono,
  { index, now, requesterOf, requireSwarm }: ViewOptions & { index: IndexClient },
): void {
  async function readPage(requester: Awaited<ReturnType<RequesterOf>>, query: ListQuery): Promise<DevicePage> {
    return { ...(await readDevicePage({ requester, index, query })), at: now().toISOString() };
  }

  app.get('/devices', async (c) => {
    const requester = await requesterOf(c);
    const query = readListQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience: query.filters.audience });
    return c.json(await readPage(requester, query), 200, noStore);
  });

  app.get('/swarms/:swarm_id/members', async (c) => {
    const requester = await requesterOf(c);
    const swarm = c.req.param('swarm_id');
    await requireAudience(requireSwarm, { user: requester.user, audience: `swarm:${swarm}` });
    const query = readListQuery(paramsOf(c.req), { swarm });
    return c.json(await readPage(requester, query), 200, noStore);
  });

  app.get('/devices/:id', async (c) => {
    const requester = await requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience });
    const device = await readDevice({ ...requester, audience, id: c.req.param('id') });
    if (!device) throw new Problem('resource.not_found');
    return c.json(device, 200, noStore);
  });

  app.get('/map', async (c) => {
    const requester = await requesterOf(c);
    const { filters, ...view } = readMapQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience: filters.audience });
    const gzip = acceptsGzip(c);
    const reply = await index.query('map', requester, { filters, ...view, gzip, timeoutMs });
    if ('building' in reply) return c.json(emptyMap(reply.building), 200, noStore);
    return c.body(reply.answer as Packed, 200, {
      ...noStore,
      'content-type': 'application/json',
      ...encodingHeaders(gzip),
    });
  });

  app.get('/map/density', async (c) => {
    const requester = await requesterOf(c);
    const { filters, picture } = readPictureQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience: filters.audience });
    const gzip = acceptsGzip(c);
    const reply = await index.query('density', requester, { filters, picture, gzip, timeoutMs });
    if ('building' in reply) return c.body(null, 202, { ...noStore, 'retry-after': '1' });
    const type = { 'content-type': 'application/octet-stream' };
    return c.body(reply.answer as Packed, 200, { ...noStore, ...type, ...encodingHeaders(gzip) });
  });

  app.get('/wall', async (c) => {
    const requester = await requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience });
    const since = now().getTime() - recentMs;
    const reply = await index.query('wall-counts', requester, { filters: { audience }, since, timeoutMs });
    const view: WallView =
      'answer' in reply ? { ...reply.answer, at: now().toISOString() } : emptyWall(reply.building, now());
    return c.json(view, 200, noStore);
  });
}

/** The output of the thread, which also compresses it. */
type Packed = string | Uint8Array<ArrayBuffer>;
const acceptsGzip = (c: Context) => takesGzip.test(c.req.header('accept-encoding') ?? '');
const encodingHeaders = (gzip: boolean) => ({ vary: 'accept-encoding', ...(gzip && { 'content-encoding': 'gzip' }) });

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

function emptyWall(building: number, now: Date): WallView {
  return {
    total: 0,
    unplaced: 0,
    machine_type: { pc: 0, bug: 0, smartphone: 0 },
    changed: 0,
    newest: null,
    at: now.toISOString(),
    building,
  };
}
