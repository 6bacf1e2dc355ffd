/**
 * Passes values on in batches: immediately after a pause, then at fixed intervals. `onDue` is called when values are due,
 * and calls `take`. Uses a monotonic clock.
 */
export function createCoalescer<K, V>({
  everyMs,
  beatMs,
  onDue,
}: {
  everyMs: number;
  beatMs: number;
  onDue: () => void;
}) {
  type Queued = { value: V; key?: K };
  const queue = new Map<K | symbol, Queued>();
  /** The entries of `waiting` with a key: a bulk deletion adds thousands without one. */
  const delayed = new Map<K, V>();
  /** The time when each key last passed, oldest first. */
  const passedAt = new Map<K, number>();
  let lastBeat = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function schedule() {
    timer ??= setTimeout(onDue, Math.max(0, lastBeat + beatMs - performance.now()));
  }

  /** Takes the values that are due, in the order in which they came. */
  function take(): V[] {
    clearTimeout(timer);
    timer = undefined;
    lastBeat = performance.now();
    for (const [key, at] of passedAt) {
      if (lastBeat - at < everyMs) break;
      passedAt.delete(key);
    }
    const due = [...queue].filter(([, { key }]) => key === undefined || !passedAt.has(key));
    for (const [slot, { key }] of due) {
      queue.delete(slot);
      if (key === undefined) continue;
      delayed.delete(key);
      passedAt.set(key, lastBeat);
    }
    if (queue.size > 0) schedule();
    return due.map(([, { value }]) => value);
  }

  return {
    /** Adds a value with a key. At most one value of a key, the last one, is passed in `everyMs`. */
    put(key: K, value: V) {
      queue.delete(key);
      delayed.delete(key);
      queue.set(key, { value, key });
      delayed.set(key, value);
      schedule();
    },
    /** Adds a value without a key, which is passed with the next batch. */
    add(value: V) {
      queue.set(Symbol('once'), { value });
      schedule();
    },
    /** Removes the delayed value of this key. */
    drop(key: K) {
      queue.delete(key);
      delayed.delete(key);
    },
    /** The delayed values with a key, in the order of `put`. */
    delayed: (): Iterable<V> => delayed.values(),
    take,
    /** Calls `onDue` at the next beat, also without a value. */
    beatAgain: schedule,
    /** Removes all values, and the timer. */
    clear() {
      clearTimeout(timer);
      timer = undefined;
      queue.clear();
      delayed.clear();
    },
  };
}
