/** The last number of one key of the devices in a table. It is read when a query needs it, at most every few seconds. */
import { performance } from 'node:perf_hooks';
import type { DeviceTable } from './device-table.ts';
import type { AudienceRows } from './audience-rows.store.ts';
import { mostAtOnce } from './stale-refs.ts';

export type ValueColumn = ReturnType<typeof createValueColumn>;

/** In ms: how often it is read. */
const readEveryMs = 10_000;

export function createValueColumn(options: {
  table: DeviceTable;
  rows: Pick<AudienceRows, 'values' | 'valueCursor'>;
  key: string;
}) {
  const { table, rows, key } = options;
  /** By slot. `refs`: the device whose number it is, because a slot is used again. */
  let [refs, numbers, times] = emptyColumns(0);
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  let seq = 0;
  let changes = 0;

  function put(ref: number, number: number, at: number) {
    const slot = table.slotOf(ref);
    if (slot === undefined) return;
    if (!Object.is(numbers[slot], number) || refs[slot] !== ref) changes += 1;
    refs[slot] = ref;
    numbers[slot] = number;
    times[slot] = at;
  }

  async function readSome(some: readonly number[], after: number) {
    for (const { ref, number, at } of await rows.values({ refs: some, key, after })) put(ref, number, at);
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
      if (ref !== 0) (refs[slot] === ref ? known : unknown).push(ref);
    }
    for (const [all, after] of [
      [known, before],
      [unknown, -1],
    ] as const)
      for (let from = 0; from < all.length; from += mostAtOnce) {
        await readSome(all.slice(from, from + mostAtOnce), after);
        yield;
      }
  }

  return {
    /** Reads it again if it is old. Queries at the same time share one read, which `run` executes. */
    async refresh(run: (work: AsyncGenerator<void, void>) => Promise<void>): Promise<void> {
      if (!reading && performance.now() < readAt + readEveryMs) return;
      reading ??= run(read()).finally(() => {
        readAt = performance.now();
        reading = undefined;
      });
      await reading;
    },
    /** The device in this slot was changed or removed: it may not record any more. */
    forget(slot: number): void {
      if (refs[slot]) changes += 1;
      refs[slot] = 0;
    },
    /** NaN if it has none, or none since a time (in ms). */
    numberAt: (slot: number, since: number): number =>
      refs[slot] === table.columns.ref[slot] && times[slot]! >= since ? numbers[slot]! : Number.NaN,
    get version(): number {
      return changes;
    },
    get bytes(): number {
      return 20 * refs.length;
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

const emptyColumns = (length: number): [Uint32Array, Float64Array, Float64Array] => [
  new Uint32Array(length),
  new Float64Array(length),
  new Float64Array(length),
];
