/** Devices that changed recently. Memory and time depend on the number of changes, not on the number of devices. */
export interface Recent {
  note(ref: number, at: number): void;
  forget(ref: number): void;
  /** The number of devices that changed after a time, which is at most a minute ago. Older changes are not stored. */
  countSince(since: number): number;
  /** The time of the newest change, in ms; undefined if there was none. */
  readonly newest: number | undefined;
}

export const recentMs = 60_000;
/** Below this number, sweeping is not worth it. */
const leastToSweep = 1000;

/**
 * `clock` returns ms since 1970. A change in the future (the clock was set back) counts as a change now, because it
 * would make all others look old.
 */
export function createRecent({ clock = Date.now }: { clock?: () => number } = {}): Recent {
  const changedAt = new Map<number, number>();
  let newest = -Infinity;
  let most = leastToSweep;

  function sweep(upTo: number) {
    for (const [ref, at] of changedAt) if (at <= upTo) changedAt.delete(ref);
    most = 2 * changedAt.size + leastToSweep;
  }

  return {
    note(ref, changed) {
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
    forget: (ref) => void changedAt.delete(ref),
    countSince(since) {
      sweep(since);
      return changedAt.size;
    },
    get newest() {
      return newest === -Infinity ? undefined : newest;
    },
  };
}
