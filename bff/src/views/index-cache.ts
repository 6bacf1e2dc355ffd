/** A cache of watched and recently used entries. */
export interface IndexCache<T> {
  /** Returns the entry of the key; creates it if there is none. */
  take(key: string, make: () => T): T;
  all(): Iterable<T>;
  /** Marks a key as watched, or not any more: a watched entry is not evicted. */
  watch(key: string, watched: boolean): void;
  /** Evicts entries that were not requested for a while, then the least recently used ones above the limit. */
  tidy(): void;
}

/** `most`: the maximum total size. The last used entry stays at any size. */
export function createIndexCache<T extends { readonly size: number }>(options: {
  most: number;
  idleMs: number;
  /** A monotonic clock, in ms. */
  clock: () => number;
}): IndexCache<T> {
  const { most, idleMs, clock } = options;
  /** Least recently used first. */
  const kept = new Map<string, { thing: T; askedAt: number }>();
  const watchedKeys = new Set<string>();

  return {
    take(key, make) {
      const thing = kept.get(key)?.thing ?? make();
      kept.delete(key);
      kept.set(key, { thing, askedAt: clock() });
      return thing;
    },
    *all() {
      for (const { thing } of kept.values()) yield thing;
    },
    watch(key, watched) {
      if (watched) watchedKeys.add(key);
      else watchedKeys.delete(key);
    },
    tidy() {
      let size = [...kept.values()].reduce((sum, { thing }) => sum + thing.size, 0);
      const newest = [...kept.keys()].at(-1);
      for (const [key, { thing, askedAt }] of kept) {
        const idle = !watchedKeys.has(key) && clock() - askedAt > idleMs;
        if (!idle && (size <= most || key === newest)) continue;
        size -= thing.size;
        kept.delete(key);
      }
    },
  };
}
