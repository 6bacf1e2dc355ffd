/** Passes values on in beats: at once after a pause, and then together. */
interface Throttle<K, V> {
  /** At most one value of a key passes in `everyMs`: the last one. */
  put(key: K, value: V): void;
  /** Passes with the next beat. */
  add(value: V): void;
  /** The waiting value of this key never passes. */
  drop(key: K): void;
  /** The values that wait under a key, in the order of `put`. */
  held(): Iterable<V>;
  stop(): void;
}

/** `pass` gets the due values in the order in which they came. Times are of a monotonic clock. */
export function createThrottle<K, V>({
  everyMs,
  beatMs,
  pass,
}: {
  everyMs: number;
  beatMs: number;
  pass: (due: V[]) => void;
}): Throttle<K, V> {
  type Waiting = { value: V; key?: K };
  const waiting = new Map<K | symbol, Waiting>();
  /** Those of `waiting` that have a key: a bulk deletion adds thousands without one. */
  const held = new Map<K, V>();
  /** When each key last passed, the oldest first. */
  const passedAt = new Map<K, number>();
  let lastBeat = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function schedule() {
    timer ??= setTimeout(beat, Math.max(0, lastBeat + beatMs - performance.now()));
  }

  function beat() {
    timer = undefined;
    lastBeat = performance.now();
    for (const [key, at] of passedAt) {
      if (lastBeat - at < everyMs) break;
      passedAt.delete(key);
    }
    const due = [...waiting].filter(([, { key }]) => key === undefined || !passedAt.has(key));
    for (const [slot, { key }] of due) {
      waiting.delete(slot);
      if (key === undefined) continue;
      held.delete(key);
      passedAt.set(key, lastBeat);
    }
    if (waiting.size > 0) schedule();
    if (due.length > 0) pass(due.map(([, { value }]) => value));
  }

  return {
    put(key, value) {
      waiting.delete(key);
      held.delete(key);
      waiting.set(key, { value, key });
      held.set(key, value);
      schedule();
    },
    add(value) {
      waiting.set(Symbol('once'), { value });
      schedule();
    },
    drop(key) {
      waiting.delete(key);
      held.delete(key);
    },
    held: () => held.values(),
    stop() {
      clearTimeout(timer);
      waiting.clear();
      held.clear();
    },
  };
}
