import type { MachineType, MemberRole } from '../contract.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { allOf, listOf, raw, sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import type { MapQuery } from './filters.ts';
import type { NamedDevice } from './map-view.ts';
import { matchesOf } from './device-filters.store.ts';

/** What an index takes of a device (point-index.ts): a million of them come. */
export type IndexRow = readonly [
  ref: number,
  machine_type: MachineType,
  longitude: number | null,
  latitude: number | null,
  changed_at: string,
  alone: 0 | 1,
  /** Where the audience is a swarm. */
  resource_type?: MemberRole,
];

/** What matches of so many devices. */
export interface Chunk<Row> {
  rows: Row[];
  of: number;
}

/** The devices of an audience that match its filters. */
export interface Rows<Row> {
  /** In chunks of some thousand devices, each read at its own time. A device in several swarms may come again. */
  chunks(): Iterable<Chunk<Row>>;
  /** The current rows of these devices, in no order, without those that do not belong to the audience or match. */
  these(refs: readonly number[]): Row[];
  /** About how many devices all chunks are of. */
  count(): number;
}

const chunkSize = 4000;

interface Asked {
  connection: Connection;
  user: string;
  audience: string;
}

/** All devices of an audience, as the index needs them. */
export function readAudience(asked: Asked): Rows<IndexRow> {
  const { knownMembership: known, swarm } = matchesOf({ ...asked, filters: asked });
  const columns =
    swarm === undefined
      ? sql`NOT EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND ${known})`
      : raw('false, here.resource_type');
  return rowsOf<IndexRow>({
    ...asked,
    filters: {},
    columns: sql`r.ref, r.machine_type, r.longitude, r.latitude, r.changed_at, ${columns}`,
  });
}

/** The refs of those that match filters that kinds do not answer (device-kinds.ts).  */
export function readMatching(
  asked: Asked & { filters: Pick<MapQuery['filters'], 'q' | 'swarm'> },
): Rows<readonly [ref: number]> {
  return rowsOf<readonly [ref: number]>({ ...asked, columns: raw('r.ref') });
}

function rowsOf<Tuple>(
  asked: Asked & { filters: Pick<MapQuery['filters'], 'q' | 'swarm'>; columns: Sql },
): Rows<Tuple> {
  const { connection, user, audience, filters, columns } = asked;
  const matches = matchesOf({ user, filters: { audience, ...filters } });
  const matching = allOf([matches.groups.q, matches.groups.swarm]);

  /** Rows as arrays, which is half the work. */
  const read = <Read>({ sql: text, params }: Sql) => connection.tuples(text, params) as unknown as Read[];
  const rowsFrom = (from: Sql, where: Sql) =>
    read<Tuple>(sql`SELECT ${columns} FROM ${from} WHERE ${where} AND ${matching}`);

  /** Where each chunk ends is read from an index alone, and the rows then between two such ends. */
  function* chunksOf(source: { from: Sql; ends: Sql; where: Sql; key: string[] }): Generator<Chunk<Tuple>> {
    const { from, ends, where, key } = source;
    const columnsOfKey = raw(key.join(', '));
    const after = (last: string[]) => sql`${where} AND (${columnsOfKey}) > (${listOf(last)})`;
    const endAfter = (last: string[]) =>
      read<string[]>(sql`SELECT ${columnsOfKey} FROM ${ends} WHERE ${after(last)}
        ORDER BY ${columnsOfKey} LIMIT 1 OFFSET ${raw(String(chunkSize - 1))}`)[0];
    let last = key.map(() => '');
    for (let end = endAfter(last); end; end = endAfter(last)) {
      yield { rows: rowsFrom(from, sql`${after(last)} AND (${columnsOfKey}) <= (${listOf(end)})`), of: chunkSize };
      last = end;
    }
    const rest = rowsFrom(from, after(last));
    yield { rows: rest, of: rest.length };
  }

  const resources = raw('resources r');
  const members = raw('memberships here JOIN resources r ON r.id = here.resource_id');
  const own = { from: resources, ends: resources, where: sql`r.user_id = ${user}`, key: ['r.created_at', 'r.id'] };
  const membersOf = (swarm: string) => ({
    from: members,
    ends: raw('memberships here'),
    where: sql`here.swarm_id = ${swarm}`,
    key: ['here.resource_id'],
  });

  const openSwarms = () =>
    read<[string]>(sql`SELECT swarm_id FROM swarm_viewers WHERE user_id = ${user}`).map(([id]) => id);
  const countOwn = () => read<[number]>(sql`SELECT count(*) FROM resources WHERE user_id = ${user}`)[0]![0];
  const countMembers = (swarm: string) =>
    read<[number]>(sql`SELECT coalesce(sum(resources), 0) FROM swarm_viewers WHERE swarm_id = ${swarm}`)[0]![0];

  // asked one by one, a thousand cost several times as much
  const these = (refs: readonly number[]) =>
    rowsFrom(
      sql`elements(${JSON.stringify(refs)}) wanted JOIN /*in this order*/ ${raw(matches.devices)}`,
      sql`(${matches.audienceOfRow}) AND r.ref = wanted.value`,
    );
  function* chunks() {
    if (matches.swarm === undefined) yield* chunksOf(own);
    for (const swarm of swarms()) yield* chunksOf(membersOf(swarm));
  }
  function swarms(): string[] {
    if (matches.swarm !== undefined) return [matches.swarm];
    return audience === 'own' ? [] : openSwarms();
  }
  return {
    these,
    chunks,
    count: () =>
      swarms().reduce((sum, swarm) => sum + countMembers(swarm), matches.swarm === undefined ? countOwn() : 0),
  };
}

/**
 * The names that a map shows beside single devices. Reads the audience's condition again, because the index may not have
 * processed the newest commits: a device that left the audience must not be shown.
 */
export function readNames(options: {
  connection: Connection;
  user: string;
  audience: string;
  refs: number[];
}): NamedDevice[] {
  const { connection, user, audience, refs } = options;
  const { swarm, devices, audienceOfRow } = matchesOf({ user, filters: { audience } });
  const role = raw(swarm === undefined ? '' : ', here.resource_type');
  const { sql: text, params } = sql`SELECT r.ref, r.id, r.name, r.machine_type${role}, r.changed_at
    FROM elements(${JSON.stringify(refs)}) wanted JOIN /*in this order*/ ${raw(devices)}
    WHERE r.ref = wanted.value AND (${audienceOfRow})`;
  return connection.all(text, params) as unknown as NamedDevice[];
}
