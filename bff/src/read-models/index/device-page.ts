import type { DeviceSort, Position } from '../../contract.ts';
import type { DeviceTable } from './device-table.ts';
import type { Cursor } from '../../core/http/query.ts';
import { swarmOf } from '../devices/device-query.ts';
import type { NumberAt, Selection } from './device-filter.ts';
import { keepSlots } from './slots.ts';
import type { SortedTextIndex } from './sorted-text-index.ts';

/** The orders by text of a table. */
interface TextIndexes {
  names: SortedTextIndex;
  owners: SortedTextIndex;
}

export interface PageStart {
  sort: DeviceSort;
  /** The point of the sort `near`. */
  near?: Position;
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

/** One page of the selected devices. */
export function pageOf(options: {
  table: DeviceTable;
  orders: TextIndexes;
  selection: Selection;
  start: PageStart;
  /** For the sorts by value. */
  numberAt?: NumberAt | undefined;
}): PageRefs {
  const { table, orders, selection, start, numberAt } = options;
  const { sort, near, limit, cursor, around } = start;
  if (limit === 0) return { refs: [], next: null };
  const texts = textIndexOf(orders, sort);
  const list = texts ? listByText(texts, selection) : listByNumber(table, selection, keysOf());
  function keysOf(): NumberKeys {
    if (sort === 'near') return nearness(table, selection, near!);
    if (sort === 'value' || sort === '-value')
      return numbersOf(table, selection, { numberAt: numberAt!, isLeastFirst: sort === 'value' });
    return timesOf(table, sort);
  }
  const slot = around === undefined ? undefined : table.slotOf(around);
  const rank = slot !== undefined && selection.has(slot) ? list.rankOf(slot) : undefined;
  const offset = cursor ? 0 : Math.max(0, rank === undefined ? (start.offset ?? 0) : rank - Math.floor(limit / 2));
  // One more, which says whether there is a next page.
  const page = list.slots({ after: cursor, offset, limit: limit + 1 });
  const last = page[limit - 1];
  const { ref } = table.columns;
  return {
    refs: page.slice(0, limit).map((each) => ref[each]!),
    next: page.length > limit ? { key: list.keyOf(last!), id: ref[last!]! } : null,
    ...(!cursor && (start.around !== undefined || start.offset !== undefined) && { offset }),
  };
}

/** The selected devices in an order. */
interface OrderedList {
  /** The slots after a cursor, without the first `offset` of them. */
  slots(range: { after: Cursor<number> | undefined; offset: number; limit: number }): number[];
  /** The number of selected devices before this one. */
  rankOf(slot: number): number;
  keyOf(slot: number): string;
}

/** So many slots are sorted in less than a millisecond. */
const fewSlots = 2000;

/** Walks the order of all devices, or that of the selected ones if they are few. */
function listByText(texts: SortedTextIndex, selection: Selection): OrderedList {
  const ranks = texts.ranks();
  const isFew = selection.isListed && selection.slots.length <= fewSlots;
  const inOrder = isFew ? selection.slots.toSorted((a, b) => ranks[a]! - ranks[b]!) : texts.slots();
  const isIncluded = isFew ? () => true : selection.has;
  return {
    slots({ after, offset, limit }) {
      const first = after ? texts.rankAfter(after.key, after.id) : 0;
      const found: number[] = [];
      let before = offset;
      for (let index = isFew ? 0 : first; index < inOrder.length && found.length < limit; index++) {
        const slot = inOrder[index]!;
        if (!isIncluded(slot) || (isFew && ranks[slot]! < first)) continue;
        if (before > 0) before -= 1;
        else found.push(slot);
      }
      return found;
    },
    rankOf(slot) {
      let rank = 0;
      for (const other of inOrder) {
        if (other === slot) break;
        if (isIncluded(other)) rank += 1;
      }
      return rank;
    },
    keyOf: texts.keyOf,
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
export function textIndexOf({ names, owners }: TextIndexes, sort: DeviceSort): SortedTextIndex | undefined {
  return sort === 'name' ? names : sort === 'owner' ? owners : undefined;
}

/** Keys by slot, and how a cursor has them. */
interface NumberKeys {
  keys: Float64Array;
  write(key: number): string;
  read(text: string): number;
}

function timesOf({ columns }: DeviceTable, sort: DeviceSort): NumberKeys {
  const { changedAt, createdAt, memberSince, heardAt } = columns;
  const orders = { '-changed': changedAt, '-created': createdAt, '-heard': heardAt, '-joined': memberSince };
  const keys = orders[sort as keyof typeof orders];
  return { keys, write: (time) => new Date(time).toISOString(), read: (text) => Date.parse(text) };
}

function numbersOf(
  { end }: DeviceTable,
  { slots }: Selection,
  { numberAt, isLeastFirst }: { numberAt: NumberAt; isLeastFirst: boolean },
): NumberKeys {
  const keys = new Float64Array(end);
  for (const slot of slots) keys[slot] = isLeastFirst ? -numberAt(slot) : numberAt(slot);
  return { keys, write: String, read: Number };
}

/** Greater is nearer: the negative haversine of the angle to the point. Without a position, -Infinity. */
function nearness({ columns, end }: DeviceTable, { slots }: Selection, near: Position): NumberKeys {
  const radians = Math.PI / 180;
  const keys = new Float64Array(end);
  const { latitude, longitude } = columns;
  const around = Math.cos(near.latitude * radians);
  for (const slot of slots) {
    const north = Math.sin(((latitude[slot]! - near.latitude) * radians) / 2);
    const east = Math.sin(((longitude[slot]! - near.longitude) * radians) / 2);
    const distance = north * north + around * Math.cos(latitude[slot]! * radians) * east * east;
    keys[slot] = Number.isNaN(distance) ? -Infinity : -distance;
  }
  return { keys, write: String, read: Number };
}

/** The greatest key first, and the last refs first of those with one key. */
function listByNumber({ columns }: DeviceTable, { slots }: Selection, { keys, write, read }: NumberKeys): OrderedList {
  const { ref: refs } = columns;
  const isBefore = (slot: number, key: number, ref: number) =>
    keys[slot]! > key || (keys[slot] === key && refs[slot]! > ref);
  return {
    slots({ after, offset, limit }) {
      const key = after && read(after.key);
      const isAfter = (slot: number) => keys[slot]! < key! || (keys[slot] === key && refs[slot]! < after!.id);
      return slotsOfRanks(after ? keepSlots(slots, isAfter) : slots, { keys, refs }, offset, offset + limit);
    },
    rankOf: (slot) => keepSlots(slots, (other) => isBefore(other, keys[slot]!, refs[slot]!)).length,
    keyOf: (slot) => write(keys[slot]!),
  };
}

/** By slot. */
interface Keys {
  keys: Float64Array;
  refs: Uint32Array;
}

/** Slots that are sorted to estimate where the others belong. */
const sampleSize = 512;

/**
 * The slots with the ranks `from` to `to` in the order, which is by key and then by ref, the greatest first. A random sample
 * says between which keys they are, and only those are sorted.
 */
function slotsOfRanks(slots: Uint32Array, order: Keys, from: number, to: number): number[] {
  const { keys, refs } = order;
  // -Infinity minus itself is NaN: the refs then decide.
  const compare = (a: number, b: number) => keys[b]! - keys[a]! || refs[b]! - refs[a]!;
  const sorted = () => [...slots.toSorted(compare).subarray(from, Math.max(from, to))];
  if (slots.length <= fewSlots || from >= slots.length) return sorted();

  const step = slots.length / sampleSize;
  const slotAt = (index: number) => slots[Math.floor((index + Math.random()) * step)]!;
  const sample = Uint32Array.from({ length: sampleSize }, (_, index) => slotAt(index)).sort(compare);
  // Four standard deviations of the sample.
  const share = Math.min(1, to / slots.length);
  const margin = 8 + 4 * Math.sqrt(sampleSize * share * (1 - share));
  const first = sample[Math.floor(from / step - margin)];
  const last = sample[Math.ceil(to / step + margin)];
  const [firstKey, firstRef] = first === undefined ? [Infinity, 0] : [keys[first]!, refs[first]!];
  const [lastKey, lastRef] = last === undefined ? [-Infinity, 0] : [keys[last]!, refs[last]!];
  const near: number[] = [];
  let before = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index]!;
    const key = keys[slot]!;
    if (key > firstKey || (key === firstKey && refs[slot]! > firstRef)) before += 1;
    else if (key > lastKey || (key === lastKey && refs[slot]! >= lastRef)) near.push(slot);
  }
  const isWrong = before > from || before + near.length < Math.min(to, slots.length) || near.length === slots.length;
  return isWrong ? sorted() : slotsOfRanks(Uint32Array.from(near), order, from - before, to - before);
}
