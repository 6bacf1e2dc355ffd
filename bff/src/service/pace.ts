/** Lets things through in beats: at once after a pause, and together what comes meanwhile. */
interface Pace<K, V> {
  /** Of one key at most one in `everyMs` passes: the last one that came. */
  put(key: K, value: V): void;
  /** Passes with the next beat. */
  add(value: V): void;
  /** What waits under this key never passes. */
  drop(key: K): void;
  /** What waits and is meant passes with the next beat, before whatever comes from now on. */
  hasten(isMeant: (value: V) => boolean): void;
  stop(): void;
}

/** `pass` gets what is due in the order in which it came. Times are of the clock that never steps. */
export function createPace<K, V>({
  everyMs,
  beatMs,
  pass,
}: {
  everyMs: number;
  beatMs: number;
  pass: (due: V[]) => void;
}): Pace<K, V> {
  type Waiting = { value: V; key?: K };
  const waiting = new Map<K | symbol, Waiting>();
  /** Those of `waiting` that have a key: a bulk deletion adds thousands without one. */
  const keyed = new Map<K, V>();
  /** Longest ago first. */
  const passedAt = new Map<K, number>();
  let lastBeat = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function soon() {
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
      keyed.delete(key);
      passedAt.set(key, lastBeat);
    }
    if (waiting.size > 0) soon();
    if (due.length > 0) pass(due.map(([, { value }]) => value));
  }

  return {
    put(key, value) {
      waiting.delete(key);
      waiting.set(key, { value, key });
      keyed.set(key, value);
      soon();
    },
    add(value) {
      waiting.set(Symbol('once'), { value });
      soon();
    },
    drop(key) {
      waiting.delete(key);
      keyed.delete(key);
    },
    hasten(isMeant) {
      for (const [key, value] of keyed) if (isMeant(value)) passedAt.delete(key);
    },
    stop() {
      clearTimeout(timer);
      waiting.clear();
      keyed.clear();
    },
  };
}
