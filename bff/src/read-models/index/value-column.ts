/** The last number of one key of the devices in a table. It is read when a query needs it, at most every few seconds. */
import { performance } from 'node:perf_hooks';
import type { NumberAt } from './device-filter.ts';
import type { DeviceTable } from './device-table.ts';
import type { AudienceRows } from './audience-rows.store.ts';
import { mostAtOnce } from './stale-refs.ts';

export type ValueColumn = ReturnType<typeof createValueColumn>;

/** In ms: how often it is read. */
const readEveryMs = 10_000;
/** In bytes, of an entry of a `Set` of numbers, about. */
const perChanged = 40;

export function createValueColumn(options: {
  table: DeviceTable;
  rows: Pick<AudienceRows, 'values' | 'valueCursor' | 'readable'>;
  key: string;
}) {
  const { table, rows, key } = options;
  /** By slot. `refs`: the device whose number it is, because a slot is used again. NaN if it has none. */
  let [refs, numbers, times] = emptyColumns(0);
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  let seq = 0;
  let changes = 0;
  /** Devices that were changed since they were read. */
  const changed = new Set<number>();
  let readable: ReadonlyMap<string, number> = new Map();

  function put(ref: number, number: number, at: number) {
    const slot = table.slotOf(ref);
    if (slot === undefined) return;
    if (!Object.is(numbers[slot], number) || refs[slot] !== ref) changes += 1;
    refs[slot] = ref;
    numbers[slot] = number;
    times[slot] = at;
  }

  async function readAgain(refsToRead: readonly number[]) {
    const missing = new Set(refsToRead);
    for (const { ref, number, at } of await rows.values({ refs: refsToRead, key, recordedFrom: 0, readable })) {
      missing.delete(ref);
      put(ref, number, at);
    }
    for (const ref of missing) put(ref, Number.NaN, 0);
  }

  async function readNewer(refsToRead: readonly number[], recordedFrom: number) {
    for (const { ref, number, at } of await rows.values({ refs: refsToRead, key, recordedFrom, readable }))
      put(ref, number, at);
  }

  /** Reads what has changed since the last time. Yields between its reads. */
  async function* read(): AsyncGenerator<void, void> {
    grow();
    const before = seq;
    // What is stored meanwhile is read again.
    seq = await rows.valueCursor();
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let slot = 0; slot < table.end; slot++) {
      const ref = table.columns.ref[slot]!;
      if (ref !== 0) (refs[slot] === ref && !changed.has(ref) ? known : unknown).push(ref);
    }
    changed.clear();
    for (let from = 0; from < known.length; from += mostAtOnce) {
      await readNewer(known.slice(from, from + mostAtOnce), before);
      yield;
    }
    for (let from = 0; from < unknown.length; from += mostAtOnce) {
      await readAgain(unknown.slice(from, from + mostAtOnce));
      yield;
    }
  }

  function forgetAll() {
    refs.fill(0);
    changes += 1;
    readAt = -Infinity;
  }

  return {
    /** Reads it again if it is old, or if the user may read other swarms. Queries at the same time share one read, which `run` executes. */
    async refresh(run: (work: AsyncGenerator<void, void>) => Promise<void>): Promise<void> {
      const rights = await rows.readable();
      // One that has begun reads with those before.
      while (reading && !isSame(rights, readable)) await reading;
      if (!isSame(rights, readable)) {
        readable = rights;
        forgetAll();
      }
      if (!reading && performance.now() < readAt + readEveryMs) return;
      reading ??= run(read())
        .catch((error: unknown) => {
          forgetAll();
          throw error;
        })
        .finally(() => {
          readAt = performance.now();
          reading = undefined;
        });
      await reading;
    },
    /** It may not record any more. Its number is read again, and is the same until then. */
    changed: (ref: number): void => void changed.add(ref),
    /** The device in this slot was removed, or is in other swarms. */
    forget(slot: number): void {
      if (refs[slot]) changes += 1;
      refs[slot] = 0;
    },
    /** The number in each slot: NaN if it has none, or none since a time (in ms). Valid until the table changes. */
    numbersSince(since: number): NumberAt {
      // A pass over all slots asks it: a look at the fields of this object for each would take most of its time.
      const [current, owners, found, at] = [table.columns.ref, refs, numbers, times];
      return (slot) => (owners[slot] === current[slot] && at[slot]! >= since ? found[slot]! : Number.NaN);
    },
    get version(): number {
      return changes;
    },
    get bytes(): number {
      return 20 * refs.length + perChanged * changed.size;
    },
  };

  function grow() {
    const { length } = table.columns.ref;
    if (refs.length >= length) return;
    const [oldRefs, oldNumbers, oldTimes] = [refs, numbers, times];
    [refs, numbers, times] = emptyColumns(length);
    refs.set(oldRefs);
    numbers.set(oldNumbers);
    times.set(oldTimes);
  }
}

const isSame = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) =>
  a.size === b.size && [...a].every(([swarm, since]) => b.get(swarm) === since);

const emptyColumns = (length: number): [Uint32Array, Float64Array, Float64Array] => [
  new Uint32Array(length),
  new Float64Array(length),
  new Float64Array(length),
];
