/**
 * A spatial index of devices for maps. Pure: it has only numbers, runs in Node and in a browser, and
 * reads no clock.
 *
 * Each device has a kind, a small number that combines its filterable properties (device-kinds.ts). Each kind is a
 * layer in Z-order, so that filtering by kind costs nothing and all counts are exact.
 */
import { boundsOf } from './bounds.ts';
import { createPointLayer } from './point-layer.ts';
import type { PointLayer, Spot } from './point-layer.ts';
import { keyOfPlace } from './morton.ts';
import { createRefHashMap } from './ref-hash-map.ts';

export interface IndexedDevice {
  /** From 1 to 2^32 - 1. */
  ref: number;
  kind: number;
  /** Both are null without a position. */
  longitude: number | null;
  latitude: number | null;
  /** The time of the last change, in ms. */
  at: number;
}

export type PointIndex = ReturnType<typeof createPointIndex>;
/** The kinds to include; by default all. */
export type KindFilter = (kind: number) => boolean;

const mostKinds = 16;
/**
 * The location of a device as one number of 32 bits: four for the kind, two for where it is stored, the rest for the
 * slot.
 */
const slotUnit = 64;
const kindUnit = 4;
const inOverlay = 0;
const inBase = 1;
const unplaced = 2;

export function createPointIndex({ kinds }: { kinds: number }) {
  if (kinds > mostKinds) throw new RangeError(`at most ${mostKinds} kinds`);
  const table = createRefHashMap();
  const layers: PointLayer[] = [];
  const without = Array.from({ length: kinds }, () => 0);
  for (let kind = 0; kind < kinds; kind++) {
    layers.push(createPointLayer({ onMoved: (ref, spot) => table.set(ref, placeOf(kind, spot)) }));
  }

  function placeOf(kind: number, spot: Spot | undefined): number {
    if (!spot) return kind * kindUnit + unplaced;
    return spot.slot * slotUnit + kind * kindUnit + (spot.inBase ? inBase : inOverlay);
  }
  function read(place: number): { kind: number; spot: Spot | undefined } {
    const how = place % kindUnit;
    const slot = Math.floor(place / slotUnit);
    return {
      kind: Math.floor((place % slotUnit) / kindUnit),
      spot: how === unplaced ? undefined : { inBase: how === inBase, slot },
    };
  }

  function take(place: number) {
    const { kind, spot } = read(place);
    if (!spot) {
      without[kind]! -= 1;
      return;
    }
    layers[kind]!.remove(spot);
  }

  function insert({ ref, kind, longitude, latitude, at }: IndexedDevice) {
    if (longitude === null || latitude === null) {
      without[kind]! += 1;
      table.set(ref, placeOf(kind, undefined));
      return;
    }
    const spot = layers[kind]!.add(keyOfPlace(longitude, latitude), { ref, longitude, latitude, at });
    table.set(ref, placeOf(kind, spot));
  }

  /** Updates a device in its slot. Returns undefined if it has to move to another one. */
  function changeInPlace({ ref, kind, longitude, latitude, at }: IndexedDevice, place: number): boolean | undefined {
    const { kind: oldKind, spot } = read(place);
    if (oldKind !== kind) return undefined;
    if (longitude === null || latitude === null) return spot ? undefined : false;
    if (!spot) return undefined;
    const old = layers[kind]!.at(spot);
    const stays = old.longitude === longitude && old.latitude === latitude;
    if (stays && old.at === at) return false;
    if (!stays && old.key !== keyOfPlace(longitude, latitude)) return undefined;
    layers[kind]!.change(spot, { ref, longitude, latitude, at });
    return true;
  }

  return {
    kinds,
    get size() {
      return table.size;
    },
    has: (ref: number) => table.get(ref) !== undefined,
    get(ref: number): IndexedDevice | undefined {
      const place = table.get(ref);
      if (place === undefined) return undefined;
      const { kind, spot } = read(place);
      if (!spot) return { ref, kind, longitude: null, latitude: null, at: 0 };
      const { longitude, latitude, at } = layers[kind]!.at(spot);
      return { ref, kind, longitude, latitude, at };
    },

    /** Adds or updates the device with this ref. Returns false if nothing has changed. */
    put(device: IndexedDevice): boolean {
      const place = table.get(device.ref);
      if (place !== undefined) {
        const changed = changeInPlace(device, place);
        if (changed !== undefined) return changed;
        take(place);
      }
      insert(device);
      return true;
    },
    /** Returns false if there was no such device. */
    remove(ref: number): boolean {
      const place = table.get(ref);
      if (place === undefined) return false;
      take(place);
      table.delete(ref);
      return true;
    },

    /** Visits each device, in no particular order. */
    each(visit: (device: { ref: number; kind: number; placed: boolean }) => void) {
      table.each((ref, place) => {
        const { kind, spot } = read(place);
        visit({ ref, kind, placed: spot !== undefined });
      });
    },

    get wantsFold() {
      return layers.some((layer) => layer.wantsFold);
    },
    /**
     * Sorts the additions into the base. Yields every few milliseconds. The index must not be read until it has ended.
     */
    *fold(): Generator<void, void> {
      for (const layer of layers) if (layer.wantsFold) yield* layer.fold();
    },

    /** The number of placed devices of each kind. */
    placed: () => layers.map(({ size }) => size),
    unplaced: () => [...without],
    /** The smallest box around the devices of these kinds (bounds.ts). */
    bounds: (includesKind: KindFilter = () => true) => boundsOf(layers.filter((_, kind) => includesKind(kind))),
    /** For symbols.ts. */
    layers: layers as readonly PointLayer[],
  };
}
