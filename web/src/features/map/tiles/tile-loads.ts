/**
 * Loads a few things at a time, in the order in which they were asked for. Browsers keep six connections to a server:
 * a tile server that is slow must not hold those that the page itself needs.
 */
interface Loads<K, V> {
  /** Ends in exactly one of `came` and `failed`, unless it is stopped before by the function it returns. */
  start(asked: { what: K; came: (value: V) => void; failed: (error: unknown) => void }): () => void;
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
