import type { MachineType, MemberRole } from '../contract.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import type { Value } from '../store/statement.ts';
import { allOf } from './sql-conditions.store.ts';
import type { Condition } from './sql-conditions.store.ts';
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
  const alone: Condition =
    swarm === undefined
      ? {
          sql: `NOT EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND ${known.sql})`,
          params: known.params,
        }
      : { sql: 'false', params: [] };
  const role = swarm === undefined ? [] : ['here.resource_type'];
  const columns = ['r.ref', 'r.machine_type', 'r.longitude', 'r.latitude', 'r.changed_at', alone.sql, ...role];
  return rowsOf<IndexRow>({ ...asked, filters: {}, columns, params: alone.params });
}

/** The refs of those that match filters that kinds do not answer (device-kinds.ts).  */
export function readMatching(
  asked: Asked & { filters: Pick<MapQuery['filters'], 'q' | 'swarm'> },
): Rows<readonly [ref: number]> {
  return rowsOf<readonly [ref: number]>({ ...asked, columns: ['r.ref'], params: [] });
}

function rowsOf<Tuple>(
  asked: Asked & { filters: Pick<MapQuery['filters'], 'q' | 'swarm'>; columns: string[]; params: Value[] },
): Rows<Tuple> {
  const { connection, user, audience, filters, columns, params } = asked;
  const matches = matchesOf({ user, filters: { audience, ...filters } });
  const matching = allOf([matches.groups.q, matches.groups.swarm]);

  /** Rows as tuples, which is half the work. */
  function prepare<Read>(sql: string) {
    const statement = connection.raw.prepare(sql);
    statement.setReturnArrays(true);
    return (...of: Value[]) => statement.all(...of) as unknown as Read[];
  }
  function rowsFrom(from: string, where: string) {
    const read = prepare<Tuple>(`SELECT ${columns.join(', ')} FROM ${from} WHERE ${where} AND ${matching.sql}`);
    return (...of: Value[]) => read(...params, ...of, ...matching.params);
  }

  /** Where each chunk ends is read from an index alone, and the rows then between two such ends. */
  function* chunksOf(source: {
    from: string;
    ends: string;
    where: string;
    of: string;
    key: string[];
  }): Generator<Chunk<Tuple>> {
    const { from, ends, where, of, key } = source;
    const columnsOfKey = key.join(', ');
    const marks = key.map(() => '?').join(', ');
    const after = `${where} AND (${columnsOfKey}) > (${marks})`;
    const upTo = `AND (${columnsOfKey}) <= (${marks})`;
    const endAfter = prepare<string[]>(
      `SELECT ${columnsOfKey} FROM ${ends} WHERE ${after} ORDER BY ${columnsOfKey} LIMIT 1 OFFSET ${chunkSize - 1}`,
    );
    const between = rowsFrom(from, `${after} ${upTo}`);
    let last = key.map(() => '');
    for (let [end] = endAfter(of, ...last); end; [end] = endAfter(of, ...last)) {
      yield { rows: between(of, ...last, ...end), of: chunkSize };
      last = end;
    }
    const rest = rowsFrom(from, after)(of, ...last);
    yield { rows: rest, of: rest.length };
  }

  const resources = 'resources r';
  const members = 'memberships here JOIN resources r ON r.id = here.resource_id';
  const own = { from: resources, ends: resources, where: 'r.user_id = ?', of: user, key: ['r.created_at', 'r.id'] };
  const membersOf = (swarm: string) => ({
    ...{ from: members, ends: 'memberships here', where: 'here.swarm_id = ?' },
    ...{ of: swarm, key: ['here.resource_id'] },
  });

  const openSwarms = () =>
    connection.all('SELECT swarm_id AS id FROM swarm_viewers WHERE user_id = ?', [user]).map(({ id }) => String(id));
  const countOf = (sql: string, ...of: Value[]) => Number(connection.get(sql, of)!['count']);
  const countOwn = () => countOf('SELECT count(*) AS count FROM resources WHERE user_id = ?', user);
  const countMembers = (swarm: string) =>
    countOf('SELECT coalesce(sum(resources), 0) AS count FROM swarm_viewers WHERE swarm_id = ?', swarm);

  const { sql, params: ofRow } = matches.audienceOfRow;
  // asked one by one, a thousand cost several times as much
  const wanted = `json_each(?) wanted CROSS JOIN ${matches.devices}`;
  const readThese = rowsFrom(wanted, `(${sql}) AND r.ref = wanted.value`);
  const these = (refs: readonly number[]) => readThese(JSON.stringify(refs), ...ofRow);
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
  const role = swarm === undefined ? '' : ', here.resource_type';
  return connection.all(
    `SELECT r.ref, r.id, r.name, r.machine_type${role}, r.changed_at
     FROM json_each(?) wanted CROSS JOIN ${devices} WHERE r.ref = wanted.value AND (${audienceOfRow.sql})`,
    [JSON.stringify(refs), ...audienceOfRow.params],
  ) as unknown as NamedDevice[];
}
