/**
 * Loads a limited number of items at a time, in order. Browsers open six connections per host, and a slow tile server
 * must not occupy those that the page itself needs.
 */
interface Loads<K, V> {
  /** Calls either `came` or `failed` once, unless the returned function stops it before. */
  start(request: { what: K; came: (value: V) => void; failed: (error: unknown) => void }): () => void;
}

export function createLoads<K, V>({
  atOnce,
  load,
}: {
  atOnce: number;
  load: (what: K, signal: AbortSignal) => Promise<V>;
}): Loads<K, V> {
  const line = new Set<() => Promise<void>>();
  let running = 0;

  function next() {
    const [first] = line;
    if (running >= atOnce || first === undefined) return;
    line.delete(first);
    running += 1;
    void first().finally(() => {
      running -= 1;
      next();
    });
    next();
  }

  return {
    start({ what, came, failed }) {
      const stop = new AbortController();
      const run = async () => {
        try {
          const value = await load(what, stop.signal);
          if (!stop.signal.aborted) came(value);
        } catch (error) {
          if (!stop.signal.aborted) failed(error);
        }
      };
      line.add(run);
      next();
      return () => {
        line.delete(run);
        stop.abort();
      };
    },
  };
}
