import type { DeviceSort } from '../contract.ts';
import type { DeviceTable } from './device-table.ts';
import type { Cursor } from './page-query.ts';
import { swarmOf } from './query-types.ts';
import { keepSlots } from './select.ts';
import type { TextOrder } from './text-order.ts';

/** The orders by text of a table. */
export interface TextOrders {
  names: TextOrder;
  owners: TextOrder;
}

export interface PageStart {
  sort: DeviceSort;
  limit: number;
  cursor?: Cursor<number> | undefined;
  /** Without a cursor: the page starts at this row, or has the device with this ref in its middle. */
  offset?: number;
  around?: number | undefined;
}

export interface PageRefs {
  /** In the order of the list. */
  refs: number[];
  next: Cursor<number> | null;
  offset?: number;
}

/** An order by numbers: by slot their keys and, for equal keys, the refs; ascending with a `sign` of 1, else -1. */
interface Order {
  keys: Float64Array | Uint32Array;
  refs: Uint32Array;
  sign: 1 | -1;
  /** Key and ref of the last row before a page. */
  before(cursor: Cursor<number>): readonly [key: number, ref: number];
  textOf(slot: number): string;
}

/** One page of the devices in these slots. */
export function pageOf(options: {
  table: DeviceTable;
  orders: TextOrders;
  slots: Uint32Array;
  start: PageStart;
}): PageRefs {
  const { table, orders, slots, start } = options;
  const { sort, limit, cursor, around } = start;
  if (limit === 0) return { refs: [], next: null };
  const order = orderOf(table, orders, sort);
  const remaining = cursor ? slotsAfter(slots, order, order.before(cursor)) : slots;
  const place = around === undefined ? undefined : placeOf(slots, order, table.slotOf(around));
  const offset = cursor ? 0 : Math.max(0, place === undefined ? (start.offset ?? 0) : place - Math.floor(limit / 2));
  const page = placesOf(remaining, order, offset, offset + limit);
  const last = page.at(-1);
  const { ref } = table.columns;
  const hasMore = last !== undefined && remaining.length > offset + page.length;
  return {
    refs: page.map((slot) => ref[slot]!),
    next: hasMore ? { key: order.textOf(last), id: ref[last]! } : null,
    ...(!cursor && (start.around !== undefined || start.offset !== undefined) && { offset }),
  };
}

/** The refs of the devices in these slots by creation, or those of members by the time that they joined. */
export function oldestFirst(options: { table: DeviceTable; slots: Uint32Array; audience: string }): Uint32Array {
  const { table, slots, audience } = options;
  const { ref, createdAt, memberSince } = table.columns;
  const keys = swarmOf(audience) === undefined ? createdAt : memberSince;
  // Most are in this order already: sorting an array is then much faster than sorting typed ones.
  const sorted = [...slots].sort((a, b) => keys[a]! - keys[b]! || ref[a]! - ref[b]!);
  return Uint32Array.from(sorted, (slot) => ref[slot]!);
}

/** Undefined if the order is by time. */
export function textOrderOf({ names, owners }: TextOrders, sort: DeviceSort): TextOrder | undefined {
  return sort === 'name' ? names : sort === 'owner' ? owners : undefined;
}

function orderOf({ columns }: DeviceTable, orders: TextOrders, sort: DeviceSort): Order {
  const { ref: refs, changedAt, createdAt, memberSince } = columns;
  const texts = textOrderOf(orders, sort);
  if (texts) {
    const keys = texts.ranks();
    // Each rank occurs once: no ref follows this one.
    const before = ({ key, id }: Cursor<number>) => [texts.rankAfter(key, id) - 1, Infinity] as const;
    return { keys, refs, sign: 1, before, textOf: texts.keyOf };
  }
  const keys = sort === '-changed' ? changedAt : sort === '-created' ? createdAt : memberSince;
  return {
    ...{ keys, refs, sign: -1 },
    before: ({ key, id }) => [Date.parse(key), id],
    textOf: (slot) => new Date(keys[slot]!).toISOString(),
  };
}

function slotsAfter(slots: Uint32Array, order: Order, [key, ref]: readonly [number, number]): Uint32Array {
  const { keys, refs, sign } = order;
  return keepSlots(
    slots,
    (slot) => sign * (keys[slot]! - key) > 0 || (keys[slot] === key && sign * (refs[slot]! - ref) > 0),
  );
}

/** The number of slots before this one; undefined if it is not among them. */
function placeOf(slots: Uint32Array, { keys, refs, sign }: Order, of: number | undefined): number | undefined {
  if (of === undefined || !slots.includes(of)) return undefined;
  const [key, ref] = [keys[of]!, refs[of]!];
  const before = (slot: number) =>
    sign * (keys[slot]! - key) < 0 || (keys[slot] === key && sign * (refs[slot]! - ref) < 0);
  return keepSlots(slots, before).length;
}

/** So many are sorted in less than a millisecond. */
const fewSlots = 2000;
const buckets = 1024;

/**
 * The slots at the places `from` to `to` in order. A histogram of the keys finds those around the page, and only these are
 * sorted. An import gives many devices one time: then the histogram is of the refs.
 */
function placesOf(slots: Uint32Array, order: Order, from: number, to: number): number[] {
  const { keys, refs, sign } = order;
  if (slots.length <= fewSlots || from >= slots.length) {
    const sorted = slots.toSorted((a, b) => sign * (keys[a]! - keys[b]! || refs[a]! - refs[b]!));
    return [...sorted.subarray(from, Math.max(from, to))];
  }
  let [least, greatest] = [Infinity, -Infinity];
  for (let place = 0; place < slots.length; place++) {
    const key = keys[slots[place]!]!;
    if (key < least) least = key;
    if (key > greatest) greatest = key;
  }
  if (least === greatest) return placesOf(slots, { ...order, keys: refs }, from, to);
  const scale = (buckets - 1) / (greatest - least);
  const bucketOf = (slot: number) => Math.floor((sign > 0 ? keys[slot]! - least : greatest - keys[slot]!) * scale);
  const counts = new Uint32Array(buckets);
  for (let place = 0; place < slots.length; place++) counts[bucketOf(slots[place]!)]! += 1;
  let [first, before] = [0, 0];
  while (before + counts[first]! <= from) before += counts[first++]!;
  let [last, through] = [first, before + counts[first]!];
  while (through < to && last < buckets - 1) through += counts[++last]!;
  const inFirst = keepSlots(slots, (slot) => bucketOf(slot) === first);
  const later =
    last === first
      ? new Uint32Array(0)
      : keepSlots(slots, (slot) => {
          const bucket = bucketOf(slot);
          return bucket > first && bucket <= last;
        });
  return [
    ...placesOf(inFirst, order, from - before, to - before),
    ...placesOf(later, order, 0, to - before - inFirst.length),
  ];
}
