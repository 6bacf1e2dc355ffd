import type { MachineType, MemberRole } from '../contract.ts';
import type { Connection } from '../storage/connection.ts';
import type { Value } from '../storage/statement.ts';
import { allOf } from './conditions.store.ts';
import type { Condition } from './conditions.store.ts';
import type { MapQuery } from './filters.ts';
import type { NamedDevice } from './map-view.ts';
import { matchesOf } from './matches.store.ts';

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

export interface AudienceRows {
  /** The audience in chunks of some thousand devices, each read at its own time. */
  chunks(): Iterable<Chunk<IndexRow>>;
  /** The same for who knows the rest. */
  refs(): Iterable<Chunk<readonly [ref: number]>>;
  /** As they are now, in no order; whoever is missing is not (any more) of the audience, or does not match. */
  these(refs: readonly number[]): IndexRow[];
  /** About how many all chunks are of. */
  count(): number;
}

const chunkSize = 4000;

/** The devices of an audience that are left by what kinds do not answer (device-kinds.ts): `q` and `swarm`. */
export function readAudience(options: {
  connection: Connection;
  user: string;
  audience: string;
  /** `q` is folded already. */
  filters: Pick<MapQuery['filters'], 'q' | 'swarm'>;
}): AudienceRows {
  const { connection, user, audience, filters } = options;
  const matches = matchesOf({ user, filters: { audience, ...filters }, fold: (text) => text });
  const known = matches.knownMembership;
  const alone: Condition =
    matches.swarm === undefined
      ? {
          sql: `NOT EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND ${known.sql})`,
          params: known.params,
        }
      : { sql: 'false', params: [] };
  const matching = allOf([matches.groups.q, matches.groups.swarm]);
  const role = matches.swarm === undefined ? [] : ['here.resource_type'];
  const columns = [...['r.rowid', 'r.machine_type', 'r.longitude', 'r.latitude', 'r.changed_at', alone.sql], ...role];

  /** Rows as tuples, which is half the work. */
  function prepare<Tuple>(sql: string) {
    const statement = connection.raw.prepare(sql);
    statement.setReturnArrays(true);
    return (...of: Value[]) => statement.all(...of) as unknown as Tuple[];
  }
  type RowsFrom<Tuple> = (from: string, where: string) => (...of: Value[]) => Tuple[];
  const select =
    <Tuple>(columns: string[], params: Value[]): RowsFrom<Tuple> =>
    (from, where) => {
      const read = prepare<Tuple>(`SELECT ${columns.join(', ')} FROM ${from} WHERE ${where} AND ${matching.sql}`);
      return (...of) => read(...params, ...of, ...matching.params);
    };
  const wholeRows = select<IndexRow>(columns, alone.params);
  const onlyRefs = select<readonly [ref: number]>(['r.rowid'], []);

  /** Where each chunk ends is read from an index alone, and the rows then between two such ends. */
  function* chunksOf<Tuple>(
    rowsFrom: RowsFrom<Tuple>,
    source: { from: string; ends: string; where: string; of: string; key: string[] },
  ): Generator<Chunk<Tuple>> {
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
  const readThese = wholeRows(wanted, `(${sql}) AND r.rowid = wanted.value`);
  const these = (refs: readonly number[]) => readThese(JSON.stringify(refs), ...ofRow);
  function* all<Tuple>(rowsFrom: RowsFrom<Tuple>) {
    if (matches.swarm === undefined) yield* chunksOf(rowsFrom, own);
    for (const swarm of swarms()) yield* chunksOf(rowsFrom, membersOf(swarm));
  }
  function swarms(): string[] {
    if (matches.swarm !== undefined) return [matches.swarm];
    return audience === 'own' ? [] : openSwarms();
  }
  return {
    these,
    chunks: () => all(wholeRows),
    refs: () => all(onlyRefs),
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
  const { swarm, devices, audienceOfRow } = matchesOf({ user, filters: { audience }, fold: (text) => text });
  const role = swarm === undefined ? '' : ', here.resource_type';
  return connection.all(
    `SELECT r.rowid AS ref, r.id, r.name, r.machine_type${role}, r.changed_at
     FROM json_each(?) wanted CROSS JOIN ${devices} WHERE r.rowid = wanted.value AND (${audienceOfRow.sql})`,
    [JSON.stringify(refs), ...audienceOfRow.params],
  ) as unknown as NamedDevice[];
}
