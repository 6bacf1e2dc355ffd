import type { Context, Hono } from 'hono';
import type { ValueKeys } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import { paramsOf } from '../../core/http/query.ts';
import { acceptsGzip, noStore, packedJson, requireAudience, type RequesterOf, type ViewOptions } from '../caller.ts';
import type { IndexClient } from '../index/index-client.ts';
import { readValueKeys } from '../last-values/last-values.store.ts';
import { readDevices, readDevicePage } from './devices.store.ts';
import { readAudienceQuery, readIdsQuery, readListQuery, readValuesQuery } from './device-query-parser.ts';
import type { ListQuery } from './device-query.ts';

const json = { ...noStore, 'content-type': 'application/json' };

/**
 * - `GET /devices`: a DevicePage. `GET /swarms/:swarm_id/members`: a MemberPage, for users who may list them. Query: the
 *   contract's DeviceFilters, `sort` (with `near=latitude,longitude` for
 *   `near`), `limit` from 0 to 1000, `counts=later` (see DevicePage's `building`), and one of
 *   `cursor` (`next` of the previous page), `offset` (a number of rows) or `around` (the id of a device in the middle of
 *   the page).
 *   `values`: up to four keys whose last values the rows have; also of the next two.
 * - `GET /devices/by-id?ids=&audience=`: the Devices with these ids as this audience sees them, up to 100, separated by
 *   commas: the user's own, or the Members of a swarm. Those that it cannot see are left out.
 * - `GET /devices/:id?audience=`: the Device as this audience sees it, or a Member if the audience is a swarm.
 * - `GET /values/keys?audience=`: ValueKeys.
 *
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`, `resource.not_found`.
 */
export function deviceRoutes(
  app: Hono,
  { index, now, requesterOf, requireSwarm }: ViewOptions & { index: IndexClient },
): void {
  async function replyPage(c: Context, requester: ReturnType<RequesterOf>, query: ListQuery) {
    const { bytes, isGzip } = await readDevicePage({ requester, index, query, now, takesGzip: acceptsGzip(c) });
    return c.body(bytes, 200, packedJson(isGzip));
  }

  app.get('/devices', async (c) => {
    const requester = requesterOf(c);
    const query = readListQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience: query.filters.audience });
    return replyPage(c, requester, query);
  });

  app.get('/swarms/:swarm_id/members', async (c) => {
    const requester = requesterOf(c);
    const swarm = c.req.param('swarm_id');
    await requireAudience(requireSwarm, { user: requester.user, audience: `swarm:${swarm}` });
    const query = readListQuery(paramsOf(c.req), { swarm });
    return replyPage(c, requester, query);
  });

  app.get('/devices/by-id', async (c) => {
    const requester = requesterOf(c);
    const params = paramsOf(c.req);
    const [audience, ids, values] = [readAudienceQuery(params), readIdsQuery(params), readValuesQuery(params)];
    await requireAudience(requireSwarm, { user: requester.user, audience });
    const { bytes } = await readDevices({ ...requester, audience, ids, values, before: '[', after: ']' });
    return c.body(bytes, 200, json);
  });

  app.get('/devices/:id', async (c) => {
    const requester = requesterOf(c);
    const params = paramsOf(c.req);
    const [audience, values] = [readAudienceQuery(params), readValuesQuery(params)];
    await requireAudience(requireSwarm, { user: requester.user, audience });
    const only = { values, ids: [c.req.param('id')], withExpected: true, before: '', after: '' };
    const { count, bytes } = await readDevices({ ...requester, audience, ...only });
    if (count === 0) throw new Problem('resource.not_found');
    return c.body(bytes, 200, json);
  });

  app.get('/values/keys', async (c) => {
    const { db: reader, user } = requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user, audience });
    return c.json<ValueKeys>({ keys: await readValueKeys({ reader, user, audience }) }, 200, noStore);
  });
}
