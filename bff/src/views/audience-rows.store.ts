import type { MachineType, MemberRole } from '../contract.ts';
import type { Connection } from '../storage/connection.ts';
import type { Value } from '../storage/statement.ts';
import type { MapQuery } from './filters.ts';
import type { NamedDevice } from './map-view.ts';
import { matchesOf } from './matches.store.ts';
import type { Condition } from './matches.store.ts';

/** What an index takes of a device (point-index.ts), and whether the filters let it through. */
export interface IndexRow {
  ref: number;
  machine_type: MachineType;
  /** Where the audience is a swarm. */
  resource_type?: MemberRole;
  alone: 0 | 1;
  longitude: number | null;
  latitude: number | null;
  changed_at: string;
  matches: 0 | 1;
}

export interface AudienceRows {
  /** The whole audience in chunks of some thousand rows, each read at its own time. */
  chunks(): Iterable<IndexRow[]>;
  /** As it is now; undefined: it is not (any more) of the audience. */
  one(ref: number): IndexRow | undefined;
  /** About how many `chunks` will give. */
  count(): number;
}

const chunkSize = 4000;

/** The devices of an audience, with a verdict on each by what kinds do not answer (device-kinds.ts): `q` and `swarm`. */
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
  const verdicts = [matches.groups.q, matches.groups.swarm];
  const role = matches.swarm === undefined ? [] : ['here.resource_type'];
  const columns = [
    ...['r.rowid AS ref', 'r.machine_type', ...role, 'r.longitude', 'r.latitude', 'r.changed_at'],
    `${alone.sql} AS alone`,
    `(${verdicts.map(({ sql }) => `(${sql})`).join(' AND ')}) AS matches`,
  ];
  const params = [...alone.params, ...verdicts.flatMap((verdict) => verdict.params)];
  const all = (from: string, more: Value[]) =>
    connection.all(`SELECT ${columns.join(', ')}, r.created_at, r.id FROM ${from}`, [
      ...params,
      ...more,
    ]) as unknown as (IndexRow & {
      created_at: string;
      id: string;
    })[];

  const own = `resources r WHERE r.user_id = ? AND (r.created_at, r.id) > (?, ?)
    ORDER BY r.created_at, r.id LIMIT ${chunkSize}`;
  const members = `memberships here JOIN resources r ON r.id = here.resource_id
    WHERE here.swarm_id = ? AND here.resource_id > ? ORDER BY here.resource_id LIMIT ${chunkSize}`;

  function* ownChunks() {
    let last = { created_at: '', id: '' };
    for (let rows = all(own, [user, '', '']); rows.length > 0; rows = all(own, [user, last.created_at, last.id])) {
      last = rows.at(-1)!;
      yield rows;
    }
  }

  function* memberChunks(swarm: string) {
    let last = '';
    for (let rows = all(members, [swarm, last]); rows.length > 0; rows = all(members, [swarm, last])) {
      last = rows.at(-1)!.id;
      yield rows;
    }
  }

  const openSwarms = () =>
    connection.all('SELECT swarm_id AS id FROM swarm_viewers WHERE user_id = ?', [user]).map(({ id }) => String(id));
  const countOf = (sql: string, ...of: Value[]) => Number(connection.get(sql, of)!['count']);
  const countOwn = () => countOf('SELECT count(*) AS count FROM resources WHERE user_id = ?', user);
  const countMembers = (swarm: string) =>
    countOf('SELECT coalesce(sum(resources), 0) AS count FROM swarm_viewers WHERE swarm_id = ?', swarm);

  const row =
    (where: string, ...of: Value[]) =>
    (ref: number) =>
      all(`${matches.devices} WHERE ${where}`, [...of, ref])[0];
  if (matches.swarm !== undefined) {
    const { swarm } = matches;
    return {
      chunks: () => memberChunks(swarm),
      one: row('here.swarm_id = ? AND r.rowid = ?', swarm),
      count: () => countMembers(swarm),
    };
  }
  if (audience === 'own')
    return { chunks: ownChunks, one: row('r.user_id = ? AND r.rowid = ?', user), count: countOwn };
  const seen = `EXISTS (SELECT 1 FROM memberships m JOIN swarm_viewers v ON v.swarm_id = m.swarm_id
    WHERE m.resource_id = r.id AND v.user_id = ?)`;
  return {
    *chunks() {
      yield* ownChunks();
      for (const swarm of openSwarms()) yield* memberChunks(swarm);
    },
    one: row(`(r.user_id = ? OR ${seen}) AND r.rowid = ?`, user, user),
    count: () => openSwarms().reduce((sum, swarm) => sum + countMembers(swarm), countOwn()),
  };
}

/** What a map writes beside single devices. `swarm`: the audience, for their roles in it. */
export function readNames(options: {
  connection: Connection;
  refs: number[];
  swarm: string | undefined;
}): NamedDevice[] {
  const { connection, refs, swarm } = options;
  const role = swarm === undefined ? '' : ', here.resource_type';
  const join = swarm === undefined ? '' : 'JOIN memberships here ON here.swarm_id = ? AND here.resource_id = r.id';
  return connection.all(
    `SELECT r.rowid AS ref, r.id, r.name, r.machine_type${role}, r.changed_at
     FROM json_each(?) wanted CROSS JOIN resources r ON r.rowid = wanted.value ${join}`,
    [JSON.stringify(refs), ...(swarm === undefined ? [] : [swarm])],
  ) as unknown as NamedDevice[];
}
