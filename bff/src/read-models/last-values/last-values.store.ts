/** The last values of devices that record them, as far as a user may read them. */
import type { ValueKeys } from '../../contract.ts';
import { newestOfKey, type LastOfKey, type LastValue } from '../../core/store/last-values.ts';
import type { Database } from '../../core/store/database.ts';
import { raw, sql } from '../../core/store/statement.ts';
import { isOpen, isViewer, readsMessagesSince, seenSwarms, viewers } from '../../core/store/visibility.ts';
import { devicesByRef, swarmOf } from '../devices/device-query.ts';
import { lastKeys, lastValues, type CountedKey, type FoundValues } from './last-values.shape.ts';

/** By key. */
type ShownValues = ReadonlyMap<string, LastOfKey>;

interface Source {
  reader: Pick<Database, 'read'>;
  user: string;
  audience: string;
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

/** The swarms of a device cost as much to read as its values, and owners see all. */
function lastRows(options: Pick<Source, 'user' | 'audience'> & { refs: readonly number[]; recordedFrom: number }) {
  const { user, audience } = options;
  const isJoined = audience === 'own' ? raw('false') : audience === 'visible' ? sql`r.user_id <> ${user}` : raw('true');
  return sql`SELECT r.ref, r.user_id, d.last, d.audiences,
    CASE WHEN ${isJoined} THEN (SELECT string_agg(m.swarm_id || ' ' || m.member_since, ',') FROM memberships m
      WHERE m.resource_id = r.id AND ${raw(isOpen('m'))}) END AS joined
    FROM ${devicesByRef(options)}`;
}

/**
 * Returns the newest values of these keys, by the refs of the devices that record. `recordedFrom`: only what was stored with this row of messages or
 * later. `readable`: not the swarms whose messages the user may read, but these.
 */
export async function readLastValues(
  options: Source & {
    refs: readonly number[];
    keys: readonly string[];
    recordedFrom?: number;
    readable?: ReadonlyMap<string, number>;
  },
): Promise<Map<number, ShownValues>> {
  const { reader, user, audience, refs, keys, recordedFrom = 0 } = options;
  if (keys.length === 0 || refs.length === 0) return new Map();
  const readable = options.readable ?? (await readReadableSwarms({ reader, user, audience }));
  const found = await reader.read<FoundValues>({
    ...lastRows({ user, audience, refs, recordedFrom }),
    shape: lastValues({ user, audience, readable, keys }),
  });
  return new Map(found.map(({ ref, values }) => [ref, values]));
}

/** The values as responses have them. */
export const valuesShown = (values: ShownValues): Record<string, { value: LastValue[1]; at: string }> =>
  Object.fromEntries(
    [...values].map(([key, ofKey]) => {
      const [at, value] = newestOfKey(ofKey);
      return [key, { value, at: new Date(at).toISOString() }];
    }),
  );

/** The devices whose keys are looked at, and the keys that are returned. */
const keysOf = { devices: 1000, most: 100 };

/** The keys of devices of an audience that record their values, those of most devices first. The caller has checked access to the audience. */
export async function readValueKeys({ reader, user, audience }: Source): Promise<ValueKeys['keys']> {
  const swarm = swarmOf(audience);
  const inSwarms = sql`r.id IN (SELECT m.resource_id FROM ${raw(viewers)} JOIN memberships m ON m.swarm_id = viewer.swarm_id AND ${raw(isOpen('m'))} WHERE viewer.user_id = ${user} AND ${raw(isViewer)})`;
  const inAudience =
    swarm !== undefined
      ? sql`EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND m.swarm_id = ${swarm} AND ${raw(isOpen('m'))})`
      : audience === 'own'
        ? sql`r.user_id = ${user}`
        : sql`r.user_id = ${user} OR ${inSwarms}`;
  const rows = await reader.read<{ ref: number }>(
    sql`SELECT r.ref FROM resources r WHERE r.keep_values IS NOT NULL AND (${inAudience}) LIMIT ${keysOf.devices}`,
  );
  if (rows.length === 0) return [];
  const readable = await readReadableSwarms({ reader, user, audience });
  return reader.read<CountedKey>({
    ...lastRows({ user, audience, refs: rows.map(({ ref }) => ref), recordedFrom: 0 }),
    shape: lastKeys({ user, audience, readable, most: keysOf.most }),
  });
}
