import type { Hono } from 'hono';
import type { DevicePage } from '../contract.ts';
import { Problem } from '../problem.ts';
import { paramsOf } from '../http/query.ts';
import { noStore, requireAudience, type RequesterOf, type ViewOptions } from './caller.ts';
import type { IndexClient } from './index-client.ts';
import { readDevices, readDevicePage } from './devices.store.ts';
import { readAudienceQuery, readIdsQuery, readListQuery } from './device-query-parser.ts';
import type { ListQuery } from './device-query.ts';

/**
 * - `GET /devices`: a DevicePage. `GET /swarms/:swarm_id/members`: a MemberPage, for users who may list them. Query: the
 *   contract's DeviceFilters, `sort` (with `near=latitude,longitude` for
 *   `near`), `limit` from 0 to 1000, `counts=later` (see DevicePage's `building`), and one of
 *   `cursor` (`next` of the previous page), `offset` (a number of rows) or `around` (the id of a device in the middle of
 *   the page).
 * - `GET /devices/by-id?ids=&audience=`: the Devices with these ids as this audience sees them, up to 100, separated by
 *   commas: the user's own, or the Members of a swarm. Those that it cannot see are left out.
 * - `GET /devices/:id?audience=`: the Device as this audience sees it, or a Member if the audience is a swarm.
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
    const requester = requesterOf(c);
    const query = readListQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience: query.filters.audience });
    return c.json(await readPage(requester, query), 200, noStore);
  });

  app.get('/swarms/:swarm_id/members', async (c) => {
    const requester = requesterOf(c);
    const swarm = c.req.param('swarm_id');
    await requireAudience(requireSwarm, { user: requester.user, audience: `swarm:${swarm}` });
    const query = readListQuery(paramsOf(c.req), { swarm });
    return c.json(await readPage(requester, query), 200, noStore);
  });

  app.get('/devices/by-id', async (c) => {
    const requester = requesterOf(c);
    const params = paramsOf(c.req);
    const [audience, ids] = [readAudienceQuery(params), readIdsQuery(params)];
    await requireAudience(requireSwarm, { user: requester.user, audience });
    return c.json(await readDevices({ ...requester, audience, ids }), 200, noStore);
  });

  app.get('/devices/:id', async (c) => {
    const requester = requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience });
    const [device] = await readDevices({ ...requester, audience, ids: [c.req.param('id')] });
    if (!device) throw new Problem('resource.not_found');
    return c.json(device, 200, noStore);
  });
}
