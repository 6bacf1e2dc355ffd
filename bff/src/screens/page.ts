import type { DeviceSort } from '../contract.ts';
import type { DeviceTable } from './device-table.ts';
import type { Cursor } from './page-query.ts';
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

/** The key of a slot as a number, and the ref or its opposite to order equal keys. */
interface Order {
  keyOf(slot: number): number;
  tieOf(slot: number): number;
  /** Key and tie of the last row before a page. */
  before(cursor: Cursor<number>): readonly [key: number, tie: number];
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

/** Undefined if the order is by time. */
export function textOrderOf({ names, owners }: TextOrders, sort: DeviceSort): TextOrder | undefined {
  return sort === 'name' ? names : sort === 'owner' ? owners : undefined;
}

function orderOf({ columns }: DeviceTable, orders: TextOrders, sort: DeviceSort): Order {
  const texts = textOrderOf(orders, sort);
  if (texts) {
    const ranks = texts.ranks();
    return {
      keyOf: (slot) => ranks[slot]!,
      // Each rank occurs once.
      tieOf: () => 0,
      before: ({ key, id }) => [texts.rankAfter(key, id) - 1, 0],
      textOf: texts.keyOf,
    };
  }
  const { ref, changedAt, createdAt, memberSince } = columns;
  const times = sort === '-changed' ? changedAt : sort === '-created' ? createdAt : memberSince;
  return {
    keyOf: (slot) => -times[slot]!,
    tieOf: (slot) => -ref[slot]!,
    before: ({ key, id }) => [-Date.parse(key), -id],
    textOf: (slot) => new Date(times[slot]!).toISOString(),
  };
}

function slotsAfter(slots: Uint32Array, { keyOf, tieOf }: Order, [key, tie]: readonly [number, number]): Uint32Array {
  return slots.filter((slot) => keyOf(slot) > key || (keyOf(slot) === key && tieOf(slot) > tie));
}

/** The number of slots before this one; undefined if it is not among them. */
function placeOf(slots: Uint32Array, { keyOf, tieOf }: Order, of: number | undefined): number | undefined {
  if (of === undefined || !slots.includes(of)) return undefined;
  const [key, tie] = [keyOf(of), tieOf(of)];
  let place = 0;
  for (const slot of slots) if (keyOf(slot) < key || (keyOf(slot) === key && tieOf(slot) < tie)) place += 1;
  return place;
}

/** So many are sorted in less than a millisecond. */
const fewSlots = 2000;
const buckets = 1024;

/**
 * The slots at the places `from` to `to` in order. A histogram of the keys finds those around the page, and only these are
 * sorted. An import gives many devices one time: then the histogram is of the ties.
 */
function placesOf(slots: Uint32Array, order: Order, from: number, to: number): number[] {
  const { keyOf, tieOf } = order;
  if (slots.length <= fewSlots || from >= slots.length) {
    const sorted = slots.toSorted((a, b) => keyOf(a) - keyOf(b) || tieOf(a) - tieOf(b));
    return [...sorted.slice(from, Math.max(from, to))];
  }
  let [least, greatest] = [Infinity, -Infinity];
  for (const slot of slots) {
    const key = keyOf(slot);
    if (key < least) least = key;
    if (key > greatest) greatest = key;
  }
  if (least === greatest) return placesOf(slots, { ...order, keyOf: tieOf }, from, to);
  const bucketOf = (slot: number) => Math.floor(((keyOf(slot) - least) / (greatest - least)) * (buckets - 1));
  const counts = new Uint32Array(buckets);
  for (const slot of slots) counts[bucketOf(slot)]! += 1;
  let [first, before] = [0, 0];
  while (before + counts[first]! <= from) before += counts[first++]!;
  let [last, through] = [first, before + counts[first]!];
  while (through < to && last < buckets - 1) through += counts[++last]!;
  const inFirst = slots.filter((slot) => bucketOf(slot) === first);
  const later = slots.filter((slot) => bucketOf(slot) > first && bucketOf(slot) <= last);
  return [
    ...placesOf(inFirst, order, from - before, to - before),
    ...placesOf(later, order, 0, to - before - inFirst.length),
  ];
}
