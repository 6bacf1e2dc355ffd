import type { Hono } from 'hono';
import type { WallView } from '../contract.ts';
import { paramsOf } from '../core/http/query.ts';
import { noStore, requireAudience, type ViewOptions } from './caller.ts';
import { nonePresent } from './index/device-filter.ts';
import { readAudienceQuery } from './devices/device-query-parser.ts';
import type { IndexClient } from './index/index-client.ts';

/** How long a wall waits for an index that is being built before it gets the progress instead, in ms. */
const timeoutMs = 1000;
/** A wall counts the changes of the last minute. */
const recentMs = 60_000;

/** `GET /wall?audience=`: a WallView. 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`. */
export function wallRoutes(
  app: Hono,
  { index, now, requesterOf, requireSwarm }: ViewOptions & { index: IndexClient },
): void {
  app.get('/wall', async (c) => {
    const requester = requesterOf(c);
    const audience = readAudienceQuery(paramsOf(c.req));
    await requireAudience(requireSwarm, { user: requester.user, audience });
    const at = now();
    const times = { now: at.getTime(), since: at.getTime() - recentMs };
    const reply = await index.query('wall-counts', requester, { filters: { audience }, ...times, timeoutMs });
    const view: WallView =
      'answer' in reply ? { ...reply.answer, at: at.toISOString() } : emptyWall(reply.building, at);
    return c.json(view, 200, noStore);
  });
}

function emptyWall(building: number, now: Date): WallView {
  return {
    total: 0,
    unplaced: 0,
    machine_type: { pc: 0, bug: 0, smartphone: 0 },
    presence: nonePresent(),
    changed: 0,
    newest: null,
    at: now.toISOString(),
    building,
  };
}
