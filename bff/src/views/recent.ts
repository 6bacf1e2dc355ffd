/** Devices that changed recently. Memory and time depend on the number of changes, not on the number of devices. */
export interface Recent {
  note(ref: number, at: number): void;
  forget(ref: number): void;
  /** How many changed after that, which is at most a minute ago; what is older is forgotten. */
  countSince(since: number): number;
  /** When the last change of all was, in milliseconds; undefined: there was none. */
  readonly newest: number | undefined;
}

export const recentMs = 60_000;
/** Below that, sweeping is not worth it. */
const few = 1000;

/**
 * `clock` gives milliseconds since 1970. A change from the future (the clock was set back since) counts as one of now:
 * it would make all others look old.
 */
export function createRecent({ clock = Date.now }: { clock?: () => number } = {}): Recent {
  const changedAt = new Map<number, number>();
  let newest = -Infinity;
  let most = few;

  function sweep(upTo: number) {
    for (const [ref, at] of changedAt) if (at <= upTo) changedAt.delete(ref);
    most = 2 * changedAt.size + few;
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
      // where nobody counts
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
