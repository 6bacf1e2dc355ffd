import type { Hono } from 'hono';
import type { WallView } from '../contract.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../storage/database.ts';
import { requireAudience } from './caller.ts';
import type { Caller } from './caller.ts';
import type { DeviceIndex } from './device-index.ts';
import { readDevice } from './devices.store.ts';
import { readAudienceQuery } from './filters.ts';
import { paramsOf } from './query-reader.ts';
import { recentMs } from './recent.ts';
import { noStore, patienceMs } from './screen-answers.ts';

/**
 * What a wall asks besides the map: `GET /wall?audience=`, a WallView; `GET /devices/:id?audience=`, that Device as it
 * is seen there, or a Member where the audience is a swarm.
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`, `resource.not_found`.
 */
export function wallRoutes(
  app: Hono,
  options: { db: Database; index: DeviceIndex; now: () => Date; caller: Caller },
): void {
  const { db, index, now, caller } = options;

  app.get('/wall', async (c) => {
    const user = await caller.userOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    requireAudience(caller, { user, audience });
    const since = now().getTime() - recentMs;
    const reply = await index.ask('pulse', { user, filters: { audience }, since, patienceMs });
    const view: WallView =
      'answer' in reply ? { ...reply.answer, at: now().toISOString() } : nothingYet(reply.building, now());
    return c.json(view, 200, noStore);
  });

  app.get('/devices/:id', async (c) => {
    const user = await caller.userOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    requireAudience(caller, { user, audience });
    const device = await readDevice({ db, user, audience, id: c.req.param('id') });
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
