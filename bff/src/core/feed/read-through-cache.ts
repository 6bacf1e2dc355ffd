import { SetsByKey } from '../limits/bounded-map.ts';
import type { FeedRow } from '../store/row-types.ts';
import type { ChangeFeed } from './change-feed.ts';

/** `isUsed`: since the cache last looked for a value to remove. */
interface Cached<T> {
  value: T;
  isUsed: boolean;
}

/**
 * A bounded cache of what was read from the database. A value is removed when the feed has an entry about it, and, when the
 * cache is full, if it was not used for a long time.
 */
export function createReadThroughCache<T>(options: {
  feed: Pick<ChangeFeed, 'newest' | 'subscribe'>;
  /** In values. */
  most: number;
  /**
   * The kind of the entries, whose `record_id` is compared with `idOf`. One without it is about all values whose owner, by
   * `ownerOf`, is its `owner`.
   */
  kind: FeedRow['kind'];
  idOf: (value: T) => string;
  ownerOf?: (value: T, key: string) => string;
}) {
  const { feed, most, kind, idOf, ownerOf } = options;
  const values = new Map<string, Cached<T>>();
  /** The keys of the values with an id: a change of one record must not search all values. */
  const keysOfId = new SetsByKey<string>();
  /** `seq` of the last change of this kind. */
  let changedAt = 0;

  function remove(key: string) {
    const cached = values.get(key);
    if (!cached) return;
    values.delete(key);
    keysOfId.remove(idOf(cached.value), key);
  }

  /**
   * Removes the first value that was not used; one that was used goes to the end. Almost "least recently used", but a hit
   * only sets a flag: to move the value in the map for each request would cost more than to find it.
   */
  function makeRoom() {
    for (const [key, cached] of values) {
      if (!cached.isUsed) return remove(key);
      cached.isUsed = false;
      values.delete(key);
      values.set(key, cached);
    }
  }

  function add(key: string, value: T) {
    remove(key);
    if (values.size >= most) makeRoom();
    values.set(key, { value, isUsed: false });
    keysOfId.add(idOf(value), key);
  }

  feed.subscribe((entries) => {
    if (!entries) {
      values.clear();
      keysOfId.clear();
      changedAt = feed.newest;
      return;
    }
    const owners = new Set<string | null>();
    for (const { kind: changed, seq, record_id, owner } of entries) {
      if (changed !== kind) continue;
      changedAt = seq;
      if (record_id === null) owners.add(owner);
      else for (const key of Array.from(keysOfId.of(record_id))) remove(key);
    }
    if (owners.size === 0 || !ownerOf) return;
    for (const [key, { value }] of values) if (owners.has(ownerOf(value, key))) remove(key);
  });

  /** Returns what `read` returns, and caches it unless something of the kind has changed while it was read. */
  async function readAll(read: () => Promise<Map<string, T>>): Promise<Map<string, T>> {
    const before = feed.newest;
    const found = await read();
    if (changedAt <= before) for (const [key, value] of found) add(key, value);
    return found;
  }

  return {
    get(key: string): T | undefined {
      const cached = values.get(key);
      if (!cached) return undefined;
      cached.isUsed = true;
      return cached.value;
    },
    readAll,
    /** Returns the value of one key, cached or read. */
    async read(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const found = await readAll(async () => {
        const value = await read();
        return new Map(value === undefined ? [] : [[key, value]]);
      });
      return found.get(key);
    },
  };
}
