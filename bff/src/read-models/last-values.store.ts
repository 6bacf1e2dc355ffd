/** The last values of devices that record them, as far as a user may read them. */
import type { ValueKeys } from '../contract.ts';
import { newestOf, type LastValue, type SeenSince } from '../store/last-values.ts';
import type { Database } from '../store/database.ts';
import { raw, sql } from '../store/statement.ts';
import { readsMessagesSince, seenSwarms, viewers } from '../store/visibility.ts';
import { devicesByRef, swarmOf } from './device-query.ts';

/** By key. */
export type ShownValues = ReadonlyMap<string, LastValue>;

interface Source {
  reader: Pick<Database, 'read'>;
  user: string;
  audience: string;
}

interface LastRow {
  ref: number;
  user_id: string;
  last: string | null;
  audiences: string | null;
  /** `<swarm> <member_since>` of each swarm of the device, with commas between them. */
  joined: string | null;
}

/** The swarms whose messages the user may read, with the time (in ms) since when. For the audience of a swarm, only that one. */
export async function readReadableSwarms({ reader, user, audience }: Source): Promise<ReadonlyMap<string, number>> {
  if (audience === 'own') return new Map();
  const swarm = swarmOf(audience);
  const rows = await reader.read<{ id: string; since: string }>(
    sql`SELECT * FROM (SELECT s.id, ${readsMessagesSince(sql`${user}`)} AS since FROM ${raw(seenSwarms)}
      WHERE viewer.user_id = ${user} AND ${swarm === undefined ? raw('true') : sql`s.id = ${swarm}`}) readable WHERE since < '9999'`,
  );
  return new Map(rows.map(({ id, since }) => [id, since === '' ? -Infinity : Date.parse(since)]));
}

/**
 * The newest values of these keys of these devices, by their refs: of those that record. `after`: only what was stored after this row of messages. `readable`: not the swarms
 * whose messages the user may read, but these.
 */
export async function readLastValues(
  of: Source & {
    refs: readonly number[];
    keys: readonly string[] | 'all';
    after?: number;
    readable?: ReadonlyMap<string, number>;
  },
): Promise<Map<number, ShownValues>> {
  const { reader, user, audience, refs, keys, after = -1 } = of;
  const found = new Map<number, ShownValues>();
  if (keys.length === 0 || refs.length === 0) return found;
  const readable = of.readable ?? (await readReadableSwarms({ reader, user, audience }));
  const rows = await reader.read<LastRow>(
    sql`SELECT r.ref, r.user_id, (SELECT d.last FROM device_values d WHERE d.ref = r.ref AND d.seq > ${after}) AS last,
      (SELECT d.audiences FROM device_values d WHERE d.ref = r.ref AND d.seq > ${after}) AS audiences,
      (SELECT string_agg(m.swarm_id || ' ' || m.member_since, ',') FROM memberships m WHERE m.resource_id = r.id) AS joined
      FROM ${devicesByRef({ user, audience, refs })}`,
  );
  for (const { ref, user_id, last, audiences, joined } of rows) {
    if (last === null || audiences === null) continue;
    const isAll = audience === 'own' || (audience === 'visible' && user_id === user);
    const since = isAll ? () => -Infinity : sinceOf(readable, joined ?? '');
    found.set(ref, newestOf({ last, audiences }, { keys, since }));
  }
  return found;
}

/** Since both the device and the user are in the swarm. */
function sinceOf(readable: ReadonlyMap<string, number>, joined: string): SeenSince {
  const memberSince = new Map(joined.split(',').map((each) => each.split(' ') as [string, string]));
  return (swarms) => {
    let least = Infinity;
    for (const id of swarms) {
      const since = readable.get(id);
      const joinedAt = memberSince.get(id);
      if (since !== undefined && joinedAt !== undefined) least = Math.min(least, Math.max(since, Date.parse(joinedAt)));
    }
    return least;
  };
}

/** As responses have them. */
export const valuesShown = (values: ShownValues): Record<string, { value: LastValue[1]; at: string }> =>
  Object.fromEntries([...values].map(([key, [at, value]]) => [key, { value, at: new Date(at).toISOString() }]));

/** The devices whose keys are looked at, and the keys that are returned. */
const keysOf = { devices: 1000, most: 100 };

/** The keys of devices of an audience that record their values, those of most devices first. The caller has checked access to the audience. */
export async function readValueKeys({ reader, user, audience }: Source): Promise<ValueKeys['keys']> {
  const swarm = swarmOf(audience);
  const inSwarms = sql`r.id IN (SELECT m.resource_id FROM ${raw(viewers)} JOIN memberships m ON m.swarm_id = viewer.swarm_id WHERE viewer.user_id = ${user})`;
  const of =
    swarm !== undefined
      ? sql`EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND m.swarm_id = ${swarm})`
      : audience === 'own'
        ? sql`r.user_id = ${user}`
        : sql`r.user_id = ${user} OR ${inSwarms}`;
  const rows = await reader.read<{ ref: number }>(
    sql`SELECT r.ref FROM resources r WHERE r.keep_values IS NOT NULL AND (${of}) LIMIT ${keysOf.devices}`,
  );
  const counts = new Map<string, { key: string; kind: 'number' | 'state'; count: number }>();
  const last = await readLastValues({ reader, user, audience, refs: rows.map(({ ref }) => ref), keys: 'all' });
  for (const values of last.values())
    for (const [key, [, value]] of values) {
      const kind = typeof value === 'number' ? 'number' : 'state';
      const counted = counts.get(`${kind} ${key}`);
      if (counted) counted.count += 1;
      else counts.set(`${kind} ${key}`, { key, kind, count: 1 });
    }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, keysOf.most);
}
