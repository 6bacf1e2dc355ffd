/** A cache of watched and recently used entries. The last used entry stays at any size. */
export function createAudienceCache<T extends { readonly bytes: number }>(options: {
  mostBytes: number;
  idleMs: number;
  /** A monotonic clock, in ms. */
  clock: () => number;
}) {
  const { mostBytes, idleMs, clock } = options;
  /** Least recently used first. */
  const entries = new Map<string, { value: T; usedAt: number }>();
  const watchedKeys = new Set<string>();

  return {
    /** Returns the entry of the key; creates it if there is none. */
    take(key: string, make: () => T): T {
      const value = entries.get(key)?.value ?? make();
      entries.delete(key);
      entries.set(key, { value, usedAt: clock() });
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
    /** Evicts entries that were not requested for a while, then the least recently used ones above the limit. */
    tidy() {
      let bytes = [...entries.values()].reduce((sum, { value }) => sum + value.bytes, 0);
      const newest = [...entries.keys()].at(-1);
      for (const [key, { value, usedAt }] of entries) {
        const idle = !watchedKeys.has(key) && clock() - usedAt > idleMs;
        if (!idle && (bytes <= mostBytes || key === newest)) continue;
        bytes -= value.bytes;
        entries.delete(key);
      }
    },
  };
}
