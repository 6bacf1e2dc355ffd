import type { AsyncReader } from '../../core/store/database.ts';
import { always, listOf, raw, sql, type Sql } from '../../core/store/statement.ts';
import { presenceColumns, presenceOf, type PresenceRow } from '../../core/store/presence-row.ts';
import { createAdaptiveSliceSize } from '../../core/store/adaptive-slice-size.ts';
import { isOpen, seenSwarms } from '../../core/store/visibility.ts';
import { devicesByRef, swarmOf } from '../devices/device-query.ts';
import { columnsOf, type IndexRow } from './index-row.store.ts';
import { readLastValues, readReadableSwarms, valuesShown } from '../last-values/last-values.store.ts';
import type { KnownSwarms } from './device-filter.ts';
import type { NamedDevice } from '../map/map-view.ts';

interface Chunk {
  rows: IndexRow[];
  /** The number of devices in the chunk. */
  count: number;
}

type Key = readonly (string | number)[];

/** The devices of an audience. */
export interface AudienceRows {
  /** In chunks of up to some thousand devices, each of its own snapshot. A device in several swarms can occur several times. */
  chunks(): AsyncIterable<Chunk>;
  /**
   * The current rows of these devices, in no particular order, without those that do not belong to the audience. They
   * contain every write that was acknowledged before the call.
   */
  byRefs(refs: readonly number[]): Promise<IndexRow[]>;
  /** When these devices were heard, in ms. Those that were never heard are left out. */
  heard(refs: readonly number[]): Promise<(readonly [ref: number, heardAt: number])[]>;
  /**
   * The last value of a key of these devices, if it is stored with this row of messages or later: NaN if it is no number. Those that do not record are left out.
   * `readable`: of which swarms, and since when.
   */
  values(options: {
    refs: readonly number[];
    key: string;
    recordedFrom: number;
    readable: ReadonlyMap<string, number>;
  }): Promise<{ ref: number; number: number; at: number }[]>;
  /** The swarms whose messages the user may read. For the audience of a swarm, whose index several users share: all of that swarm. */
  readable(): Promise<ReadonlyMap<string, number>>;
  /** Values of the messages up to this row are stored. */
  valueCursor(): Promise<number>;
  /** The approximate number of devices in all chunks. */
  count(): Promise<number>;
}

/** The devices of an action, of any audience. */
export interface ActionRefs {
  chunks(): AsyncIterable<readonly number[]>;
  /** Those of these devices that belong to the action. */
  byRefs(refs: readonly number[]): Promise<readonly number[]>;
}

interface Source {
  reader: Omit<AsyncReader, 'close'>;
  user: string;
  audience: string;
}

/** All devices of an audience, as the index needs them. */
export function readAudience({ reader, user, audience }: Source): AudienceRows {
  const ofSwarm = swarmOf(audience);
  const rowsFrom: RowsFrom = (from) =>
    reader.tuples<IndexRow>(sql`SELECT ${columnsOf({ user, audience })} FROM ${from}`);

  async function swarms(): Promise<string[]> {
    if (ofSwarm !== undefined) return [ofSwarm];
    if (audience === 'own') return [];
    const rows = await reader.tuples<[string]>(sql`SELECT s.id FROM ${raw(seenSwarms)} WHERE viewer.user_id = ${user}`);
    return rows.map(([id]) => id);
  }
  async function numberFrom(query: Sql): Promise<number> {
    const [row] = await reader.tuples<[number]>(query);
    return row![0];
  }

  return {
    async *chunks() {
      if (ofSwarm === undefined) yield* chunksOf(reader, rowsFrom, ownDevices(user));
      for (const swarm of await swarms()) yield* chunksOf(reader, rowsFrom, membersOf(swarm));
    },
    // One statement: a thousand statements would cost several times as much.
    byRefs: (refs) => rowsFrom(devicesByRef({ user, audience, refs })),
    heard: (refs) =>
      reader.tuples<readonly [ref: number, heardAt: number]>(
        sql`SELECT ref, heard_at FROM presence WHERE ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(refs)}))`,
      ),
    async values({ key, ...wanted }) {
      const found = await readLastValues({ reader, user, audience, keys: [key], ...wanted });
      return [...found].map(([ref, values]) => {
        const [at, number] = values.get(key)?.number ?? [0, Number.NaN];
        return { ref, number: number as number, at };
      });
    },
    readable: async () =>
      ofSwarm === undefined ? readReadableSwarms({ reader, user, audience }) : new Map([[ofSwarm, -Infinity]]),
    async valueCursor() {
      const [row] = await reader.tuples<[number]>(sql`SELECT coalesce((SELECT seq FROM value_cursor), 0)`);
      return row![0];
    },
    async count() {
      let count = 0;
      if (ofSwarm === undefined) {
        count += await numberFrom(
          sql`SELECT coalesce(sum(amount), 0) FROM usage WHERE user_id = ${user} AND kind = 'resources'`,
        );
      }
      for (const swarm of await swarms()) {
        count += await numberFrom(sql`SELECT coalesce(sum(members), 0) FROM swarm_sizes WHERE swarm_id = ${swarm}`);
      }
      return count;
    },
  };
}

/** Reads rows of these tables and conditions. */
type RowsFrom = (from: Sql) => Promise<IndexRow[]>;

/** Devices in the order of an index. */
interface Ordered {
  /** The tables of the rows. */
  from: Sql;
  /** The table whose index has the order. */
  ends: Sql;
  where: Sql;
  key: readonly string[];
  /** A key before all others. */
  start: Key;
}

const withPresence = 'LEFT JOIN presence p ON p.ref = r.ref';
const ownDevices = (user: string): Ordered => ({
  from: raw(`resources r ${withPresence}`),
  ends: raw('resources r'),
  where: sql`r.user_id = ${user}`,
  key: ['r.created_at', 'r.ref'],
  start: ['', 0],
});
const membersOf = (swarm: string): Ordered => ({
  from: raw(`memberships here JOIN resources r ON r.id = here.resource_id ${withPresence}`),
  ends: raw('memberships here'),
  where: sql`here.swarm_id = ${swarm} AND ${raw(isOpen('here'))}`,
  key: ['here.resource_id'],
  start: [''],
});

/** The end of each chunk is read from an index alone, then the rows between two ends. */
async function* chunksOf(
  reader: Source['reader'],
  rowsFrom: RowsFrom,
  { from, ends, where, key, start }: Ordered,
): AsyncGenerator<Chunk> {
  const columnsOfKey = raw(key.join(', '));
  const after = (last: Key) => sql`${where} AND (${columnsOfKey}) > (${listOf(last)})`;
  const size = createAdaptiveSliceSize();
  const endAfter = async (last: Key) => {
    const [end] = await reader.tuples<Key>(sql`SELECT ${columnsOfKey} FROM ${ends} WHERE ${after(last)}
        ORDER BY ${columnsOfKey} LIMIT 1 OFFSET ${size.rows - 1}`);
    return end;
  };
  let last = start;
  for (let end = await endAfter(last); end; end = await endAfter(last)) {
    const [first, until, count] = [last, end, size.rows];
    const rows = await size.timed(() =>
      rowsFrom(sql`${from} WHERE ${after(first)} AND (${columnsOfKey}) <= (${listOf(until)})`),
    );
    yield { rows, count };
    last = end;
  }
  const rows = await rowsFrom(sql`${from} WHERE ${after(last)}`);
  yield { rows, count: rows.length };
}

/** Parts of an action that one statement reads: some thousand items. */
const partsAtOnce = 20;

/** The devices of one of the user's actions; none of other users' actions. */
export function readAction(options: Pick<Source, 'reader' | 'user'> & { action: string }): ActionRefs {
  const { reader, user, action } = options;
  const ofAction = sql`p.action_id = (SELECT id FROM actions WHERE id = ${action} AND user_id = ${user})`;
  async function refsOf(options: { parts: Sql; among: Sql }): Promise<number[]> {
    // An id is found without parsing: quotes in names are escaped.
    const rows = await reader.tuples<[ref: number]>(sql`SELECT ref FROM resources WHERE ${options.among} AND id IN (
      SELECT substr(item.value, strpos(item.value, '"id":"') + 6, 36)
      FROM action_parts p, elements(p.items) item WHERE ${ofAction} AND ${options.parts})`);
    return rows.map(([ref]) => ref);
  }
  return {
    async *chunks() {
      const [row] = await reader.tuples<[last: number | null]>(
        sql`SELECT max(p.part) FROM action_parts p WHERE ${ofAction}`,
      );
      const last = row![0] ?? -1;
      for (let part = 0; part <= last; part += partsAtOnce) {
        yield refsOf({ parts: sql`p.part >= ${part} AND p.part < ${part + partsAtOnce}`, among: always });
      }
    },
    byRefs: (refs) =>
      refsOf({
        parts: always,
        among: sql`ref IN (SELECT CAST(wanted.value AS bigint) FROM elements(${JSON.stringify(refs)}) wanted)`,
      }),
  };
}

/**
 * The names that a map shows beside single devices. Reads the audience's condition again, because the index may not have
 * processed the newest commits: a device that left the audience must not be shown.
 */
export async function readNames({
  reader,
  keys = [],
  ...options
}: Source & { refs: number[]; keys?: readonly string[] | undefined }): Promise<NamedDevice[]> {
  if (options.refs.length === 0) return [];
  const role = raw(swarmOf(options.audience) === undefined ? '' : ', here.resource_type');
  const rows = await reader.read<Omit<NamedDevice, 'presence'> & PresenceRow>(
    sql`SELECT r.ref, r.id, r.name, r.machine_type${role}, r.changed_at, ${raw(presenceColumns)} FROM ${devicesByRef(options)}`,
  );
  const values = await readLastValues({ reader, ...options, keys });
  return rows.map(({ state, heard_at, connected_to, ...row }) => {
    const last = values.get(row.ref);
    return {
      ...row,
      presence: presenceOf({ state, heard_at, connected_to }),
      ...(last && last.size > 0 && { values: valuesShown(last) }),
    };
  });
}

/** The swarms that the user may know of, in the order of lists. */
export async function readKnownSwarms({ reader, user }: Pick<Source, 'reader' | 'user'>): Promise<KnownSwarms> {
  return new Map(
    await reader.tuples<[id: string, name: string]>(sql`SELECT s.id, s.name
      FROM ${raw(seenSwarms)} WHERE viewer.user_id = ${user} ORDER BY lower(s.name), s.id`),
  );
}

export async function readRef({ reader, id }: Pick<Source, 'reader'> & { id: string }): Promise<number | undefined> {
  const [found] = await reader.tuples<[ref: number]>(sql`SELECT ref FROM resources WHERE id = ${id}`);
  return found?.[0];
}
