/** Placed devices as columns of arrays. */
import { columnOfKey, rowOfKey } from './morton.ts';
import type { Aggregate } from './aggregate.ts';

export interface Point {
  /** The number that identifies the device outside of the index; not 0. */
  ref: number;
  longitude: number;
  latitude: number;
  /** The time of the last change, in ms. */
  at: number;
}

/** `ref` is 0 in the slot of a removed device. */
export interface Points {
  length: number;
  key: Float64Array;
  ref: Uint32Array;
  longitude: Float64Array;
  latitude: Float64Array;
  at: Float64Array;
}

export function emptyPoints(capacity: number): Points {
  return {
    length: 0,
    key: new Float64Array(capacity),
    ref: new Uint32Array(capacity),
    longitude: new Float64Array(capacity),
    latitude: new Float64Array(capacity),
    at: new Float64Array(capacity),
  };
}

const least = 64;

/** Returns the slot. */
export function push(points: Points, key: number, point: Point): number {
  if (points.length === points.key.length) grow(points, Math.max(least, Math.ceil(points.length * 1.5)));
  const slot = points.length;
  points.length += 1;
  points.key[slot] = key;
  setPoint(points, slot, point);
  return slot;
}

export function setPoint(points: Points, slot: number, { ref, longitude, latitude, at }: Point): void {
  points.ref[slot] = ref;
  points.longitude[slot] = longitude;
  points.latitude[slot] = latitude;
  points.at[slot] = at;
}

export function copyPoint(from: Points, slot: number, to: Points, place: number): void {
  to.key[place] = from.key[slot]!;
  to.ref[place] = from.ref[slot]!;
  to.longitude[place] = from.longitude[slot]!;
  to.latitude[place] = from.latitude[slot]!;
  to.at[place] = from.at[slot]!;
}

export function addPoint(aggregate: Aggregate, points: Points, slot: number): void {
  const ref = points.ref[slot]!;
  if (ref === 0) return;
  const key = points.key[slot]!;
  const longitude = points.longitude[slot]!;
  const latitude = points.latitude[slot]!;
  const at = points.at[slot]!;
  aggregate.count += 1;
  aggregate.columns += columnOfKey(key);
  aggregate.rows += rowOfKey(key);
  aggregate.ref = ref;
  if (longitude < aggregate.west) aggregate.west = longitude;
  if (latitude < aggregate.south) aggregate.south = latitude;
  if (longitude > aggregate.east) aggregate.east = longitude;
  if (latitude > aggregate.north) aggregate.north = latitude;
  if (at > aggregate.newest) aggregate.newest = at;
}

/** The first slot from `from` on, in sorted keys, whose key is not less than `key`. */
export function firstFrom(keys: Float64Array, key: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function grow(points: Points, capacity: number): void {
  const { key, ref, longitude, latitude, at } = points;
  Object.assign(points, { ...emptyPoints(capacity), length: points.length });
  points.key.set(key);
  points.ref.set(ref);
  points.longitude.set(longitude);
  points.latitude.set(latitude);
  points.at.set(at);
}
