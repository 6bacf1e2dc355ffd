/** So many at a time; the others wait for their turn, and so many of them at most. */
export interface Turns {
  /** Resolves with what gives the turn back; undefined where too many wait. Rejects as `signal` says. */
  take(signal: AbortSignal): Promise<() => void> | undefined;
}

export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  const line = new Set<() => void>();
  let taken = 0;

  function give(): () => void {
    taken += 1;
    return () => {
      taken -= 1;
      const next = line.values().next().value;
      next?.();
    };
  }

  return {
    take(signal) {
      if (taken < atOnce) return Promise.resolve(give());
      if (line.size >= waiting) return undefined;
      return new Promise((resolve, reject) => {
        const go = () => {
          line.delete(go);
          signal.removeEventListener('abort', leave);
          resolve(give());
        };
        const leave = () => {
          line.delete(go);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', leave, { once: true });
        line.add(go);
      });
    },
  };
}
