import type { DeviceTable } from './device-table.ts';
import { keepSlots } from './slots.ts';

const runLength = 4096;
/** So many changes are sorted and merged in some milliseconds. */
const fewChanges = 5000;

/** The states of a slot: in the order with its key; changed since; with a key that a suspended `sort` has taken. */
const [inOrder, changed, taken] = [0, 1, 2];

export type SortedTextIndex = ReturnType<typeof createSortedTextIndex>;

/** The order of the devices of a table by a text and then by ref. It is sorted when it is needed. */
export function createSortedTextIndex(table: DeviceTable) {
  /** By slot. */
  const keys: (string | undefined)[] = [];
  let states = new Uint8Array(0);
  let changes = 0;
  /** The number of changes that are in the order. */
  let sortedChanges = 0;
  let letters = 0;
  /** The language's own comparison is much faster, and right without them. */
  let hasSurrogates = false;
  let running: Promise<void> | undefined;
  let order: Uint32Array = new Uint32Array(0);
  let ranks: Uint32Array = new Uint32Array(0);

  function set(slot: number, key: string | undefined) {
    if (slot >= states.length) {
      const larger = new Uint8Array(Math.ceil((slot + 1) * 1.5));
      larger.set(states);
      states = larger;
    }
    letters += (key?.length ?? 0) - (keys[slot]?.length ?? 0);
    hasSurrogates ||= key !== undefined && /[\ud800-\udfff]/.test(key);
    keys[slot] = key;
    states[slot] = changed;
    changes += 1;
  }

  /** Sorts and merges what has changed. Only one run of it may be suspended. */
  function* sort(): Generator<void, void> {
    const seen = changes;
    // Keys and slots may change while this waits.
    const [keysNow, refsNow] = [keys.slice(), table.columns.ref.slice(0, keys.length)];
    const compareKeys = hasSurrogates ? compareTexts : compareUnits;
    const compare = (a: number, b: number) => compareKeys(keysNow[a]!, keysNow[b]!) || refsNow[a]! - refsNow[b]!;
    const missing = new Uint32Array(keysNow.length);
    let count = 0;
    for (let slot = 0; slot < keysNow.length; slot++) {
      if (states[slot] === inOrder || keysNow[slot] === undefined) continue;
      states[slot] = taken;
      missing[count++] = slot;
    }
    const added = yield* sorted(missing.subarray(0, count), compare);
    const before = keepSlots(order, (slot) => states[slot] === inOrder);
    const now = keepSlots(added, (slot) => states[slot] === taken);
    order = new Uint32Array(before.length + now.length);
    for (const _ of merge([before, now], order, compare));
    ranks = new Uint32Array(states.length);
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank]!] = rank;
    for (const slot of now) states[slot] = inOrder;
    sortedChanges = Math.max(sortedChanges, seen);
  }

  return {
    get bytes(): number {
      return letters + keys.length * 40 + states.length + order.byteLength + ranks.byteLength;
    },
    put(slot: number, key: string): void {
      if (keys[slot] !== key) set(slot, key);
    },
    remove: (slot: number): void => set(slot, undefined),
    keyOf: (slot: number): string => keys[slot]!,
    /** Sorts with a function that runs a generator in slices. Calls while it runs share the run. */
    sort(run: (work: Generator<void, void>) => Promise<void>): Promise<void> {
      running ??= run(sort()).finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Whether sorting takes so long that it should run in slices. */
    get isFarBehind(): boolean {
      return changes - sortedChanges > fewChanges;
    },
    /** The place of each slot in the order. */
    ranks(): Uint32Array {
      if (changes > sortedChanges) for (const _ of sort());
      return ranks;
    },
    /** The slots in order, after `ranks`. */
    slots: (): Uint32Array => order,
    /** The number of devices up to this key and ref, after `ranks`. */
    rankAfter(key: string, ref: number): number {
      let [low, high] = [0, order.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        const slot = order[middle]!;
        const way = compareTexts(keys[slot]!, key) || table.columns.ref[slot]! - ref;
        if (way <= 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** The order of SQLite and PostgreSQL: by code points. Comparing strings with `<` is the order of UTF-16. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? inCodePoints(x) - inCodePoints(y) : x - y;
  }
  return a.length - b.length;
}

const compareUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Surrogates, which are code points beyond U+FFFF, after all other units. */
const inCodePoints = (unit: number) => (unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

type Compare = (a: number, b: number) => number;

function* sorted(slots: Uint32Array, compare: Compare): Generator<void, Uint32Array> {
  for (let from = 0; from < slots.length; from += runLength) {
    slots.subarray(from, from + runLength).sort(compare);
    yield;
  }
  let from = slots;
  let to: Uint32Array = new Uint32Array(slots.length);
  for (let length = runLength; length < slots.length; length *= 2) {
    for (let start = 0; start < slots.length; start += 2 * length) {
      const [middle, end] = [start + length, start + 2 * length];
      yield* merge([from.subarray(start, middle), from.subarray(middle, end)], to.subarray(start, end), compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

function* merge([a, b]: [Uint32Array, Uint32Array], to: Uint32Array, compare: Compare): Generator<void, void> {
  let [x, y] = [0, 0];
  for (let place = 0; place < to.length; place++) {
    if (place % runLength === runLength - 1) yield;
    const isFirst = y === b.length || (x < a.length && compare(a[x]!, b[y]!) <= 0);
    to[place] = isFirst ? a[x++]! : b[y++]!;
  }
}
