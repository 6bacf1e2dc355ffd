import { Counts } from '../../core/limits/bounded-map.ts';

interface Entry<T> {
  value: T;
  user: string;
  usedAt: number;
}

/**
 * A cache of watched and recently used entries. The last used entry stays at any size. `mostOfUser`: each commit is compared with
 * all entries, so a user has few.
 */
export function createAudienceCache<T extends { readonly bytes: number }>(options: {
  mostBytes: number;
  mostOfUser: number;
  idleMs: number;
  /** A monotonic clock, in ms. */
  clock: () => number;
}) {
  const { mostBytes, mostOfUser, idleMs, clock } = options;
  /** Least recently used first. */
  const entries = new Map<string, Entry<T>>();
  const watchedKeys = new Set<string>();
  /** The number of entries of each user. */
  const amounts = new Counts();

  function remove(key: string) {
    const entry = entries.get(key);
    if (entry && entries.delete(key)) amounts.change(entry.user, -1);
  }

  /** The least recently used one. Watched ones are bounded with the streams of the user. */
  function removeOldestOf(user: string) {
    for (const [key, entry] of entries) if (entry.user === user && !watchedKeys.has(key)) return remove(key);
  }

  return {
    /** Returns the entry of the key; creates it if there is none. It counts for the user who was the last to request it. */
    take(key: string, user: string, make: () => T): T {
      const value = entries.get(key)?.value ?? make();
      remove(key);
      if (amounts.of(user) >= mostOfUser) removeOldestOf(user);
      entries.set(key, { value, user, usedAt: clock() });
      amounts.change(user, 1);
      return value;
    },
    *all(): Iterable<T> {
      for (const { value } of entries.values()) yield value;
    },
    /** Marks a key as watched, or not any more: a watched entry is not evicted. */
    watch(key: string, watched: boolean) {
      if (watched) watchedKeys.add(key);
      else watchedKeys.delete(key);
    },
    /**
     * Evicts entries that were not requested for a while. Above the limit, the user who has most loses the least recently used one,
     * so that nobody evicts those of others with many large ones.
     */
    tidy() {
      for (const [key, { usedAt }] of entries) if (!watchedKeys.has(key) && clock() - usedAt > idleMs) remove(key);
      const newest = [...entries.keys()].at(-1);
      const used = new Counts();
      let bytes = 0;
      for (const { value, user } of entries.values()) {
        used.change(user, value.bytes);
        bytes += value.bytes;
      }
      while (bytes > mostBytes) {
        let evicted: [key: string, Entry<T>] | undefined;
        for (const [key, entry] of entries)
          if (key !== newest && (!evicted || used.of(entry.user) > used.of(evicted[1].user))) evicted = [key, entry];
        if (!evicted) return;
        const [key, { value, user }] = evicted;
        used.change(user, -value.bytes);
        bytes -= value.bytes;
        remove(key);
      }
    },
  };
}
