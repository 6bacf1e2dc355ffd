/** The last values that were asked for, taken where they are read: a device has many more. */
import { newestOf, type LastOfKey, type SeenSince, type ValueKind } from '../../core/store/last-values.ts';
import { defineShape } from '../../core/store/shape.ts';

/** A device that records. */
interface LastRow {
  ref: number;
  user_id: string;
  last: string;
  audiences: string;
  /** `<swarm> <member_since>` of each swarm of the device, with commas between them. Null if the reader sees all of it. */
  joined: string | null;
}

/** Who reads. `readable`: the swarms whose messages the user may read, with the time (in ms) since when. */
interface Reading {
  user: string;
  audience: string;
  readable: ReadonlyMap<string, number>;
}

export interface FoundValues {
  ref: number;
  values: ReadonlyMap<string, LastOfKey>;
}

/** A key with the number of devices that have it. */
export interface CountedKey {
  key: string;
  kind: ValueKind;
  count: number;
}

export const lastValues = defineShape(
  new URL('./last-values.shape.ts', import.meta.url),
  'lastValues',
  (rows: readonly LastRow[], { keys, ...reading }: Reading & { keys: readonly string[] }): FoundValues[] =>
    rows.map((row) => ({ ref: row.ref, values: newestOf(row, { keys, since: sinceOf(row, reading) }) })),
);

/** The keys of the last values. Those that most devices have come first. */
export const lastKeys = defineShape(
  new URL('./last-values.shape.ts', import.meta.url),
  'lastKeys',
  (rows: readonly LastRow[], { most, ...reading }: Reading & { most: number }): CountedKey[] => {
    const counts = new Map<string, CountedKey>();
    for (const row of rows)
      for (const [key, ofKey] of newestOf(row, { keys: 'all', since: sinceOf(row, reading) }))
        for (const kind of Object.keys(ofKey) as ValueKind[]) {
          const counted = counts.get(`${kind} ${key}`);
          if (counted) counted.count += 1;
          else counts.set(`${kind} ${key}`, { key, kind, count: 1 });
        }
    return [...counts.values()].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, most);
  },
);

/** Since both the device and the user are in a swarm. Owners see everything, but in a swarm what was sent to it. */
function sinceOf({ user_id, joined }: LastRow, { user, audience, readable }: Reading): SeenSince {
  if (audience === 'own' || (audience === 'visible' && user_id === user)) return 'ever';
  const memberSince = new Map((joined ?? '').split(',').map((each) => each.split(' ') as [string, string]));
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
