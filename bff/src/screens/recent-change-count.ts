export type RecentChangeCount = ReturnType<typeof createRecentChangeCount>;

export const recentMs = 60_000;
/** Below this number, sweeping is not worth it. */
const leastToSweep = 1000;

/**
 * Devices that changed recently. Memory and time depend on the number of changes, not on the number of devices.
 * `clock` returns ms since 1970. A change in the future (the clock was set back) counts as a change now, because it
 * would make all others look old.
 */
export function createRecentChangeCount({ clock = Date.now }: { clock?: () => number } = {}) {
  const changedAt = new Map<number, number>();
  let newest = -Infinity;
  let most = leastToSweep;

  function sweep(upTo: number) {
    for (const [ref, at] of changedAt) if (at <= upTo) changedAt.delete(ref);
    most = 2 * changedAt.size + leastToSweep;
  }

  return {
    note(ref: number, changed: number) {
      const at = Math.min(changed, clock());
      if (at > newest) newest = at;
      if (at <= newest - recentMs) {
        changedAt.delete(ref);
        return;
      }
      changedAt.set(ref, at);
      // Also swept if `countSince` is never called.
      if (changedAt.size > most) sweep(newest - recentMs);
    },
    forget: (ref: number) => void changedAt.delete(ref),
    /** The number of devices that changed after a time, which is at most a minute ago. Older changes are not stored. */
    countSince(since: number): number {
      sweep(since);
      return changedAt.size;
    },
    /** The time of the newest change, in ms; undefined if there was none. */
    get newest(): number | undefined {
      return newest === -Infinity ? undefined : newest;
    },
  };
}
