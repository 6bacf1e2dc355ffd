import type { Hono } from 'hono';
import type { DevicePage } from '../contract.ts';
import { noStore, requireAudience } from './caller.ts';
import type { RequesterOf, Caller } from './caller.ts';
import type { DeviceIndex } from './device-index.ts';
import { readDevicePage } from './devices.store.ts';
import { readListQuery } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { paramsOf } from './query-reader.ts';

/**
 * `GET /devices`: a DevicePage. `GET /swarms/:swarm_id/members`: a MemberPage, for users who may list them. Query: the
 * contract's DeviceFilters, `sort`, `limit` from 0 to 1000, `counts=later` (see DevicePage's `building`), and one of
 * `cursor` (`next` of the previous page), `offset` (a number of rows) or `around` (the id of a device in the middle of
 * the page).
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`.
 */
export function deviceRoutes(
  app: Hono,
  options: {
    index: DeviceIndex;
    now: () => Date;
    requesterOf: RequesterOf;
    caller: Pick<Caller, 'requireSwarm'>;
  },
): void {
  const { index, now, requesterOf, caller } = options;

  async function page({
    requester,
    query,
  }: {
    requester: Awaited<ReturnType<RequesterOf>>;
    query: ListQuery;
  }): Promise<DevicePage> {
    const list = await readDevicePage({ requester, index, query });
    return { ...list, at: now().toISOString() };
  }

  app.get('/devices', async (c) => {
    const requester = await requesterOf(c);
    const query = readListQuery(paramsOf(c.req));
    await requireAudience(caller, { user: requester.user, audience: query.filters.audience });
    return c.json(await page({ requester, query }), 200, noStore);
  });

  app.get('/swarms/:swarm_id/members', async (c) => {
    const requester = await requesterOf(c);
    const swarm = c.req.param('swarm_id');
    await requireAudience(caller, { user: requester.user, audience: `swarm:${swarm}` });
    const query = readListQuery(paramsOf(c.req), { swarm });
    return c.json(await page({ requester, query }), 200, noStore);
  });
}
