import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kinds, type DeviceTable } from '../index/device-table.ts';
import { boundsOf, type Box } from './bounds.ts';
import type { Grid, GridOptions } from './cells.ts';
import { clusterResolutionOf } from './cluster-resolution.ts';
import {
  bbox,
  createMapTable,
  groupsOf,
  isIn,
  isPlaced,
  isShown,
  place,
  someKinds,
  type KindFilter,
  type MapDevice,
  type MapTable,
} from './map-devices.fixture.ts';
import { side } from './mercator.ts';
import { createSelectedGrid } from './selected-cells.ts';
import { groupsIn, type Group } from './symbols.ts';

const world: Box = [-180, -90, 180, 90];
const every: KindFilter = () => true;
const runs = process.env['SWARMDECK_LONG'] === '1' ? 1000 : 30;

type Action =
  | { act: 'put'; device: MapDevice }
  | { act: 'remove'; ref: number }
  | { act: 'look'; bbox: Box; zoom: number; meant: KindFilter };
const ref = fc.integer({ min: 1, max: 300 });
const device = fc
  .tuple(ref, fc.nat({ max: kinds - 1 }), fc.nat({ max: 1000 }), place)
  .map(([number, kind, at, where]): MapDevice => ({ ref: number, kind, at, ...where }));
const act: fc.Arbitrary<Action> = fc.oneof(
  { weight: 40, arbitrary: device.map((each): Action => ({ act: 'put', device: each })) },
  { weight: 8, arbitrary: ref.map((number): Action => ({ act: 'remove', ref: number })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(bbox, fc.integer({ min: 0, max: 22 }), someKinds)
      .map(([box, zoom, meant]): Action => ({ act: 'look', bbox: box, zoom, meant })),
  },
);

/** The bounds and the grid of a table, or of selected devices of it. */
interface Reader {
  bounds: Box | null;
  gridOf: (options: GridOptions) => Grid;
}
const slotsOf = (table: DeviceTable, isSelected: (slot: number) => boolean) =>
  Uint32Array.from({ length: table.end }, (_, slot) => slot).filter(
    (slot) => table.columns.ref[slot] !== 0 && !Number.isNaN(table.columns.longitude[slot]) && isSelected(slot),
  );
/** The devices of some kinds whose refs are multiples of a number. */
function readerOf({ table }: MapTable, meant: KindFilter, factor = 1): Reader {
  const { columns, profiles } = table;
  const kindOf = (slot: number) => profiles[columns.profile[slot]!]!.kind;
  const slots = slotsOf(table, (slot) => columns.ref[slot]! % factor === 0 && meant(kindOf(slot)));
  return {
    bounds: boundsOf(columns, slots),
    gridOf: (grid) => createSelectedGrid({ table, slots, ...grid }),
  };
}

const byKind = (some: MapDevice[]) =>
  Array.from({ length: kinds }, (_, kind) => some.filter((each) => each.kind === kind).length);

/** Compares bounds and symbols with a linear scan. */
function compare(asked: { reader: Reader; devices: MapDevice[]; bbox: Box; zoom: number; meant: KindFilter }) {
  const { reader, devices, bbox: box, zoom, meant } = asked;
  const shown = devices.filter(isPlaced).filter(({ kind }) => meant(kind));
  const { bounds } = reader;
  if (shown.length === 0) expect(bounds).toBeNull();
  else {
    expect(shown.every((each) => isIn(each, bounds!))).toBe(true);
    expect([bounds![1], bounds![3]]).toEqual([
      Math.min(...shown.map(({ latitude }) => latitude)),
      Math.max(...shown.map(({ latitude }) => latitude)),
    ]);
  }

  const resolution = clusterResolutionOf({ bbox: box, zoom });
  const inGroup = groupsOf(shown, resolution);
  const all = new Map(inGroup.map(({ key, devices: inside }) => [key, inside]));
  const expected = inGroup
    .filter((group) => isShown(group, box, resolution))
    .map(({ key, devices: inside, x, y }) => ({
      key,
      count: inside.length,
      byKind: byKind(inside),
      newest: Math.max(...inside.map(({ at }) => at)),
      south: Math.min(...inside.map(({ latitude }) => latitude)),
      north: Math.max(...inside.map(({ latitude }) => latitude)),
      ref: inside.length === 1 ? inside[0]!.ref : 0,
      x: Math.round(x * 1000),
      y: Math.round(y * 1000),
    }));
  const groups = groupsIn({ gridOf: reader.gridOf, bbox: box, resolution });
  const got = groups.map(({ key, count, byKind: types, newest, south, north, ref: one, x, y }) => ({
    key,
    count,
    byKind: types,
    newest,
    south,
    north,
    ref: count === 1 ? one : 0,
    x: Math.round(x * 1000),
    y: Math.round(y * 1000),
  }));
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  expect(got.toSorted(byKey)).toEqual(expected.toSorted(byKey));
  for (const { key, west, south: low, east, north: high } of groups) {
    const inside = all.get(key)!;
    expect(inside.every((each) => isIn(each, [west, low, east, high]))).toBe(true);
    expect(inside.some(({ longitude }) => longitude === west)).toBe(true);
    expect(inside.some(({ longitude }) => longitude === east)).toBe(true);
  }
}

describe('a table', () => {
  test('returns the same as a linear scan after any changes', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 500, size: 'max' }), (acts) => {
        const index = createMapTable();
        const devices = new Map<number, MapDevice>();
        for (const step of acts) {
          if (step.act === 'put') {
            devices.set(step.device.ref, step.device);
            index.put(step.device);
          } else if (step.act === 'remove') {
            devices.delete(step.ref);
            index.table.remove(step.ref);
          } else {
            // All devices, a large and a small selection.
            for (const factor of [1, 2, 60]) {
              const selected = [...devices.values()].filter(({ ref }) => ref % factor === 0);
              compare({ ...step, reader: readerOf(index, step.meant, factor), devices: selected });
            }
          }
        }
        const reader = readerOf(index, every);
        compare({ reader, devices: [...devices.values()], bbox: world, zoom: 3, meant: every });
        for (const number of devices.keys()) index.table.remove(number);
        compare({ reader: readerOf(index, every), devices: [], bbox: world, zoom: 3, meant: every });
      }),
      { numRuns: runs },
    );
  });

  test('that was changed equals a new one', () => {
    fc.assert(
      fc.property(fc.array(device, { maxLength: 200, size: 'max' }), fc.integer({ min: 0, max: 16 }), (steps, zoom) => {
        const changed = createMapTable(steps);
        const anew = createMapTable(new Map(steps.map((each) => [each.ref, each])).values());
        const resolution = clusterResolutionOf({ bbox: world, zoom });
        const [one, other] = [changed, anew].map((index) =>
          groupsIn({ ...readerOf(index, every), bbox: world, resolution }),
        );
        const known = (group: Group) => ({ ...group, ref: group.count === 1 ? group.ref : 0 });
        expect(one!.map(known)).toEqual(other!.map(known));
        expect(readerOf(changed, every).bounds).toEqual(readerOf(anew, every).bounds);
      }),
    );
  });

  test('returns the same symbols when the view is panned', () => {
    const view = fc.record({
      west: fc.double({ min: -180, max: 100, noNaN: true }),
      moved: fc.double({ min: -60, max: 60, noNaN: true }),
      south: fc.double({ min: -80, max: 40, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(device, { maxLength: 150, size: 'max' }),
        fc.nat({ max: 5 }),
        view,
        (devices, zoom, seen) => {
          const { west, moved, south } = seen;
          const { gridOf } = readerOf(createMapTable(devices), every);
          const from = Math.max(-180, Math.min(100, west + moved));
          const groups = (left: number) => {
            const box: Box = [left, south, left + 80, south + 40];
            return groupsIn({ gridOf, bbox: box, resolution: clusterResolutionOf({ bbox: box, zoom }) });
          };
          const both = ({ x }: Group) => {
            const longitude = (x / side - 0.5) * 360;
            return longitude >= Math.max(west, from) && longitude <= Math.min(west, from) + 80;
          };
          expect(groups(west).filter(both)).toEqual(groups(from).filter(both));
        },
      ),
    );
  });

  test('has one symbol for many devices at one spot', () => {
    const spot = { kind: 0, longitude: 7.447447, latitude: 46.947974 };
    const index = createMapTable(
      Array.from({ length: 3000 }, (_, number) => ({ ref: number + 1, at: number, ...spot })),
    );
    const box: Box = [7.4474, 46.9479, 7.4475, 46.948];
    const [group, ...others] = groupsIn({
      ...readerOf(index, every),
      bbox: box,
      resolution: { zoom: 22, radius: 60, scale: 1 },
    });
    expect(others).toEqual([]);
    expect(group).toMatchObject({ count: 3000, west: spot.longitude, east: spot.longitude, newest: 2999 });
  });
});
