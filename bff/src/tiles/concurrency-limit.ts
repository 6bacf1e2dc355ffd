/** Limits concurrency: `atOnce` run, up to `waiting` wait, the rest are rejected. */
export interface ConcurrencyLimit {
  /** Resolves with a function that ends the turn. Returns undefined if too many wait. Rejects when `signal` aborts. */
  take(signal: AbortSignal): Promise<() => void> | undefined;
}

export function createConcurrencyLimit({ atOnce, waiting }: { atOnce: number; waiting: number }): ConcurrencyLimit {
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
