import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { SwarmFlow, SwarmItem, SwarmList } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { Problem } from '../../core/problem.ts';
import {
  id as idOf,
  oneOf,
  paramsOf,
  readQuery,
  checkedCursor,
  pageParameters,
  searchParameter,
  writeCursor,
} from '../../core/http/query.ts';
import { searchWords } from '../../core/store/search-text.ts';
import { noStore, replyLong, type ViewOptions } from '../caller.ts';
import { allRanks, readFlow, readSwarmItem, readSwarmPage, type Rank } from './swarm-list.store.ts';

const sort = 'swarms';
/** The ranks of the swarms of a list: see `Rank`. */
const ranksOf: Record<'all' | 'owner' | 'manager' | 'member', readonly Rank[]> = {
  all: allRanks,
  owner: ['0'],
  manager: ['0', '1'],
  member: ['1', '2', '3'],
};
const listQuery = z.object({
  q: searchParameter,
  relation: oneOf(['owner', 'manager', 'member']).optional(),
  ...pageParameters(),
});
const flowQuery = z.object({ resource_id: idOf('the id of a device').optional(), code: z.string().optional() });

/**
 * `GET /swarm-list`: a SwarmList of the swarms that the caller owns, manages, watches or has a device in. `GET
 * /swarms/:swarm_id/overview`: a SwarmItem, and `/swarms/:swarm_id/flow?resource_id=&code=`: a SwarmFlow, for users who can see
 * the swarm, and the flow also for those who have the code of a link to it. 400 `query.invalid`, 404 `swarm.not_found`,
 * `link.not_found`.
 */
export function swarmListRoutes(app: Hono, { now, requesterOf, requireSwarm }: ViewOptions): void {
  app.get('/swarm-list', async (c) => {
    const { user, db } = requesterOf(c);
    const { q, relation, limit, ...query } = readQuery(paramsOf(c.req), listQuery);
    const cursor = checkedCursor(query.cursor, sort);
    const ranks = ranksOf[relation ?? 'all'];
    const words = q === undefined ? [] : searchWords(q);
    const { items, next, counts } = await readSwarmPage({ db, user, words, ranks, after: cursor, limit });
    const list: SwarmList = {
      items,
      next: next ? writeCursor({ sort, ...next }) : null,
      total: ranks.reduce((sum, rank) => sum + counts[rank], 0),
      owned: counts[0],
      managed: counts[1],
      watched: counts[2],
      joined: counts[3],
      at: now().toISOString(),
    };
    return replyLong(c, list);
  });

  app.get('/swarms/:swarm_id/overview', async (c) => {
    const { user, db } = requesterOf(c);
    const id = c.req.param('swarm_id');
    await requireSwarm({ user, id, operation: 'getSwarm' });
    const found = await readSwarmItem({ db, user, id });
    if (!found) throw new Problem('swarm.not_found');
    return c.json<SwarmItem>(found.item, 200, { ...noStore, etag: `"${found.version}"` });
  });

  app.get('/swarms/:swarm_id/flow', async (c) => {
    const { user, db } = requesterOf(c);
    const swarm = c.req.param('swarm_id');
    const { resource_id: resource = '', code } = readQuery(paramsOf(c.req), flowQuery);
    await requireSwarm({ user, id: swarm, operation: 'getSwarm', code });
    const since = new Date(now().getTime() - dayMs).toISOString();
    return c.json<SwarmFlow>(await readFlow({ db, user, swarm, resource, since }), 200, noStore);
  });
}
