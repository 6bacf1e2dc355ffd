import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { SwarmItem, SwarmList } from '../contract.ts';
import { replyLong } from '../http/long-responses.ts';
import { Problem } from '../http/problem.ts';
import {
  oneOf,
  paramsOf,
  readQuery,
  checkedCursor,
  pageParameters,
  searchParameter,
  writeCursor,
} from '../http/query.ts';
import { mayBeginId, nameKey, searchText, searchWords } from '../store/search-text.ts';
import { noStore, type ViewOptions } from './caller.ts';
import { readKnownSwarms, readSwarmItems, type KnownSwarm } from './swarm-list.store.ts';

const sort = 'swarms';
const listQuery = z.object({
  q: searchParameter,
  relation: oneOf(['owner', 'manager', 'member']).optional(),
  ...pageParameters(),
});

/**
 * `GET /swarm-list`: a SwarmList of the swarms that the caller owns, manages or has a device in. `GET
 * /swarms/:swarm_id/overview`: a SwarmItem, for users who can see the swarm. 400 `query.invalid`, 404
 * `swarm.not_found`.
 */
export function swarmListRoutes(app: Hono, { now, requesterOf, requireSwarm }: ViewOptions): void {
  app.get('/swarm-list', async (c) => {
    const { user, db } = await requesterOf(c);
    const { q, relation, limit, ...query } = readQuery(paramsOf(c.req), listQuery);
    const cursor = checkedCursor(query.cursor, sort);
    // A user is in hundreds of swarms at most, and the database can neither fold their names nor sort by them.
    const known = await readKnownSwarms({ db, user });
    const matching = q === undefined ? known : known.filter(containing(searchWords(q)));
    const owned = matching.filter(({ user_id }) => user_id === user);
    const managed = matching.filter(({ user_id, manager }) => user_id !== user && manager);
    const joined = matching.filter(({ user_id, manager }) => user_id !== user && !manager);
    const sorted = [
      ...(relation === 'member' ? [] : keyed(owned, '0')),
      ...(relation === 'owner' ? [] : keyed(managed, '1')),
      ...(relation === undefined || relation === 'member' ? keyed(joined, '2') : []),
    ].toSorted(byKey);
    const from = cursor === undefined ? 0 : sorted.findIndex((swarm) => byKey(swarm, cursor) > 0);
    const shown = from === -1 ? [] : sorted.slice(from, from + limit);
    const last = shown.at(-1);
    const ids = shown.map(({ id }) => id);
    const items = await readSwarmItems({ db, user, ids });
    const list: SwarmList = {
      items: items.map(({ item }) => item),
      next: last && last !== sorted.at(-1) ? writeCursor({ sort, ...last }) : null,
      total: sorted.length,
      owned: owned.length,
      managed: managed.length,
      joined: joined.length,
      at: now().toISOString(),
    };
    return replyLong(c, user, list);
  });

  app.get('/swarms/:swarm_id/overview', async (c) => {
    const { user, db } = await requesterOf(c);
    const id = c.req.param('swarm_id');
    await requireSwarm({ user, id, operation: 'getSwarm' });
    const [found] = await readSwarmItems({ db, user, ids: [id] });
    if (!found) throw new Problem('swarm.not_found');
    return c.json<SwarmItem>(found.item, 200, { ...noStore, etag: `"${found.version}"` });
  });

  /** Each word must be in the name, the owner's name or the description, or at the beginning of the id. */
  function containing(words: string[]) {
    return ({ id, user_id, name, description }: KnownSwarm) => {
      const texts = [searchText(name), user_id, searchText(description)];
      const begins = (word: string) => mayBeginId(word) && id.replaceAll('-', '').startsWith(word);
      return words.every((word) => texts.some((text) => text.includes(word)) || begins(word));
    };
  }

  function keyed(swarms: KnownSwarm[], first: '0' | '1' | '2') {
    return swarms.map(({ id, name }) => ({ key: first + nameKey(name), id }));
  }
}

function byKey(a: { key: string; id: string }, b: { key: string; id: string }): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}
