import type { Hono } from 'hono';
import type { WallView } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { noStore, patienceMs, requireAudience } from './caller.ts';
import type { RequesterOf, Caller } from './caller.ts';
import type { DeviceIndex } from './device-index.ts';
import { readDevice } from './devices.store.ts';
import { readAudienceQuery } from './filters.ts';
import { paramsOf } from './query-reader.ts';
import { recentMs } from './recent.ts';

/**
 * `GET /wall?audience=`: a WallView. `GET /devices/:id?audience=`: the Device as this audience sees it, or a Member if
 * the audience is a swarm.
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`, `resource.not_found`.
 */
export function wallRoutes(
  app: Hono,
  options: { index: DeviceIndex; now: () => Date; requesterOf: RequesterOf; caller: Pick<Caller, 'requireSwarm'> },
): void {
  const { index, now, requesterOf, caller } = options;

  app.get('/wall', async (c) => {
    const requester = await requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(caller, { user: requester.user, audience });
    const since = now().getTime() - recentMs;
    const reply = await index.query('pulse', requester, { filters: { audience }, since, patienceMs });
    const view: WallView =
      'answer' in reply ? { ...reply.answer, at: now().toISOString() } : nothingYet(reply.building, now());
    return c.json(view, 200, noStore);
  });

  app.get('/devices/:id', async (c) => {
    const requester = await requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(caller, { user: requester.user, audience });
    const device = await readDevice({ ...requester, audience, id: c.req.param('id') });
    if (!device) throw new Problem('resource.not_found');
    return c.json(device, 200, noStore);
  });
}

function nothingYet(building: number, now: Date): WallView {
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
