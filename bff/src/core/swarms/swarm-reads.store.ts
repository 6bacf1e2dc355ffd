/** Reads swarms as JSON: one with its members, the lists of a user and of a resource, and summaries without members. */
import { Problem } from '../problem.ts';
import type { Requester } from '../limits/fair-queue.ts';
import type { Database } from '../store/database.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { raw, type Sql } from '../store/statement.ts';
import { readAtOnce, readGroupsOf } from '../store/swarm-groups.ts';
import { isBlocked, isOpen, isViewer, viewers } from '../store/visibility.ts';
import type { BodyChunk } from '../http/streamed-body.ts';
import { chunkSql } from '../endpoint/chunk-sql.ts';
import { arrayOf, chunksOf } from '../endpoint/list-chunks.ts';
import type { OperationOn } from '../endpoint/policy.ts';
import type { SwarmRule } from '../endpoint/rules.ts';
import { mayStill } from '../endpoint/write-checks.store.ts';
import type { Members } from '../members/members.store.ts';

export const swarmColumns = [
  'id',
  'user_id',
  'name',
  'description',
  'public',
  'listed',
  'accepts_requests',
  'expected_every',
  'created_at',
  'modified_at',
  'version',
];
/** The columns of a swarm `s`, as a user who may be blocked sees them. */
const columnsFor = (user: Sql) =>
  swarmColumns.map((column) =>
    column === 'accepts_requests'
      ? `CASE WHEN ${isBlocked(user).sql} THEN 0 ELSE s.accepts_requests END AS accepts_requests`
      : `s.${column}`,
  );
/** With members that have ended and are not deleted yet, as all counts that triggers keep (store/visibility.ts). */
const sizeOfSwarm = 'coalesce((SELECT members FROM swarm_sizes WHERE swarm_id = s.id), 0) AS members';
/** An expression for FROM: the swarms with these ids. PostgreSQL may return them in any order. */
const swarmsById = (ids: string) => `elements(${ids}) wanted JOIN /*in this order*/ swarms s ON s.id = wanted.value`;
/** `chunk`: the ids of a list. `these`: the swarms of these ids ($2) that are still in it and that the user ($1) may still read. */
const listOf = ({
  rows,
  row,
  key,
  isValid,
  isOfList,
}: Record<'rows' | 'row' | 'key' | 'isValid' | 'isOfList', string>) => ({
  chunk: chunkSql({
    columns: `s.id, s.created_at, ${sizeOfSwarm}`,
    time: 's.created_at',
    id: 's.id',
    from: `${rows} JOIN swarms s ON s.id = ${row}.swarm_id`,
    where: `${row}.${key} = $3 AND ${isValid} AND s.user_id <> ''`,
  }),
  these: `SELECT ${columnsFor(raw('$1')).join(', ')} FROM ${swarmsById('$2')}
    JOIN /*in this order*/ ${rows} ON ${row}.swarm_id = s.id AND ${isOfList} AND ${isValid} WHERE s.user_id <> ''`,
});
const ofUser = listOf({
  rows: viewers,
  row: 'viewer',
  key: 'user_id',
  isValid: isViewer,
  isOfList: 'viewer.user_id = $1',
});
const ofResource = listOf({
  rows: 'memberships m',
  row: 'm',
  key: 'resource_id',
  isValid: isOpen('m'),
  // The client may read on when the resource belongs to somebody else.
  isOfList:
    'm.resource_id = $3 AND EXISTS (SELECT 1 FROM resources own WHERE own.id = m.resource_id AND own.user_id = $1)',
});
/** A swarm of a list, with the number of members that are read with it. */
interface ListedSwarm extends Pick<SwarmRow, 'id' | 'created_at'> {
  members: number;
}

interface Deps {
  db: Database;
  members: Pick<Members, 'inSwarm' | 'ofSwarms' | 'oneInSwarm'>;
}

/** What an operation reads of a swarm. */
interface Reading<T> {
  id: string;
  userId: string;
  operation: OperationOn<SwarmRule>;
  chunks: AsyncIterable<T>;
}

/** `requester`: only while this user may see the members. `only`: of the members, only this one. */
interface WholeOptions {
  access?: 'full';
  requester?: Requester;
  only?: string | undefined;
}

export function createSwarmReads({ db, members }: Deps) {
  const memberCount = async (id: string): Promise<number> => {
    const select = 'SELECT members FROM swarm_sizes WHERE swarm_id = $1';
    const [size] = await db.read<{ members: number }>({ sql: select, params: [id] });
    return size?.members ?? 0;
  };

  return {
    memberCount,
    head: (swarm: SwarmRow) => `${headOf(swarm)}}`,
    summary: async (swarm: SwarmRow) => summaryOf(swarm, await memberCount(swarm.id)),
    whole: (swarm: SwarmRow, options?: WholeOptions) => whole({ db, members }, swarm, options),
    whileAllowed: <T>(reading: Reading<T>) => whileAllowed(db, reading),

    /** Returns the swarm as this user sees it. The user may be blocked. */
    async shownTo({ swarm, userId }: { swarm: SwarmRow; userId: string }): Promise<SwarmRow> {
      const select = `SELECT 1 FROM swarms s WHERE s.id = $1 AND ${isBlocked(raw('$2')).sql}`;
      const [blocked] = await db.read({ sql: select, params: [swarm.id, userId], user: userId });
      return blocked ? withoutRequests(swarm) : swarm;
    },

    /** The summaries of the swarms with these ids, as this user sees them, who may be blocked. By id. */
    async summariesFor({ userId, ids }: { userId: string; ids: readonly string[] }): Promise<Map<string, string>> {
      const rows = await db.read<SwarmRow & { members: number }>({
        sql: `SELECT ${columnsFor(raw('$1')).join(', ')}, ${sizeOfSwarm} FROM ${swarmsById('$2')} WHERE s.user_id <> ''`,
        params: [userId, JSON.stringify(ids)],
      });
      return new Map(rows.map(({ members: count, ...swarm }) => [swarm.id, summaryOf(swarm, count)]));
    },

    /** Owned, managed and joined. */
    listOfUser: (requester: Requester) => arrayOf(listBy({ db, members }, ofUser, { key: requester.user, requester })),
    /** `isAlone`: of the members, only the resource itself. */
    listOfResource: (listed: { resourceId: string; requester: Requester; isAlone: boolean }) => {
      const { resourceId: key, requester, isAlone } = listed;
      return arrayOf(listBy({ db, members }, ofResource, { key, requester, only: isAlone ? key : undefined }));
    },
  };
}

/**
 * Passes on what an operation reads of the swarm, while the user may execute it: a client may read for hours.
 * @throws `swarm.not_found`
 */
async function* whileAllowed<T>(db: Database, { id, userId, operation, chunks }: Reading<T>) {
  let isFirst = true;
  for await (const chunk of chunks) {
    // The caller has checked access immediately before the first part.
    if (!isFirst && (await db.read(mayStill({ operation, swarmId: id, userId }))).length === 0)
      throw new Problem('swarm.not_found');
    isFirst = false;
    yield chunk;
  }
}

/**
 * The whole swarm with its members, as the spec's JSON.
 */
async function* whole(
  { db, members }: Deps,
  swarm: SwarmRow,
  { requester, only, ...more }: WholeOptions = {},
): AsyncGenerator<BodyChunk, void> {
  yield `${headOf(swarm, more)},"resources":[`;
  const chunks =
    only === undefined ? members.inSwarm(swarm.id, requester) : members.oneInSwarm({ id: swarm.id, resourceId: only });
  yield* requester === undefined
    ? chunks
    : whileAllowed(db, { id: swarm.id, userId: requester.user, operation: 'listMembers', chunks });
  yield ']}';
}

/** The list of a resource's swarms is the spec's, with only the spec's fields. */
async function* listBy(
  { db, members }: Deps,
  list: typeof ofUser,
  { key, requester, only }: { key: string; requester: Requester; only?: string | undefined },
): AsyncGenerator<BodyChunk, void> {
  let comma = '';
  const chunks = chunksOf({
    read: (after) => db.read<ListedSwarm>({ sql: list.chunk, params: [...after, key], user: requester.user }),
    keyOf: ({ created_at, id }) => [created_at, id],
    recordOf: ({ id, members: amount }) => ({ id, members: only === undefined ? amount : 1 }),
  });
  for await (const chunk of chunks) {
    for (const group of readGroupsOf(chunk)) {
      const ids = group.map(({ id }) => id);
      const isLarge = group[0].members > readAtOnce.members;
      const count = group.reduce((sum, { members: amount }) => sum + amount, 0);
      const membersOf = isLarge ? undefined : await members.ofSwarms({ ids, count, requester, only });
      // Last. A client may read slowly, and the members wait for their turn: meanwhile a swarm may have ended, or the client may have
      // lost access to it.
      const params = [requester.user, JSON.stringify(ids), ...(list === ofResource ? [key] : [])];
      const found = await db.read<SwarmRow>({ sql: list.these, params, user: requester.user });
      const byId = new Map(found.map((swarm) => [swarm.id, list === ofUser ? swarm : specified(swarm)]));
      const swarms = ids.flatMap((id) => byId.get(id) ?? []);
      if (!membersOf) {
        for (const swarm of swarms) {
          yield comma;
          yield* whole({ db, members }, swarm, { requester, only });
          comma = ',';
        }
        continue;
      }
      const texts = swarms.map((swarm) => `${headOf(swarm)},"resources":[${membersOf.get(swarm.id) ?? ''}]}`);
      if (texts.length === 0) continue;
      yield comma + texts.join(',');
      comma = ',';
    }
  }
}

const summaryOf = (swarm: SwarmRow, count: number) =>
  `${headOf(swarm, { access: 'summary' })},"resources":[],"member_count":${count}}`;

/** Returns the swarm with only the spec's fields. */
const specified = (swarm: SwarmRow): SwarmRow => ({
  ...swarm,
  modified_at: null,
  listed: 0,
  accepts_requests: 1,
  expected_every: null,
});

/** Returns the swarm as a user whom it blocks sees it. */
export const withoutRequests = (swarm: SwarmRow): SwarmRow => ({ ...swarm, accepts_requests: 0 });

function headOf(swarm: SwarmRow, more: object = {}): string {
  const {
    id,
    user_id,
    name,
    description,
    created_at,
    modified_at,
    public: open,
    listed,
    accepts_requests,
    expected_every,
  } = swarm;
  const modified = modified_at === null ? {} : { modified_at };
  const settings = {
    ...(listed === 1 && { listed: true }),
    ...(accepts_requests === 0 && { accepts_requests: false }),
    ...(expected_every !== null && { expected_every }),
  };
  const head = { id, user_id, name, description, created_at, ...modified, public: open === 1, ...settings, ...more };
  return JSON.stringify(head).slice(0, -1);
}
