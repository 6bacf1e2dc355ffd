import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from './bounds.ts';
import { createRaster, densityOf } from './density.ts';
import { clusterResolutionOf } from './cluster-resolution.ts';
import { columnOf, rowOf, side } from './morton.ts';
import { bbox, groupsOf, indexOf, isIn, isPlaced, isShown, kinds, place, someKinds } from './point-index.fixture.ts';
import type { IndexedDevice, KindFilter, PointIndex, PointReader } from './point-index.ts';
import { selectPoints } from './filtered-points.ts';
import { groupsIn } from './symbols.ts';
import type { Group } from './symbols.ts';

const world: Box = [-180, -90, 180, 90];
const every: KindFilter = () => true;
const runs = process.env['SWARMDECK_LONG'] === '1' ? 1000 : 60;

type Action =
  | { act: 'put'; device: IndexedDevice }
  | { act: 'remove'; ref: number }
  | { act: 'fold' }
  | { act: 'look'; bbox: Box; zoom: number; meant: KindFilter };
const ref = fc.integer({ min: 1, max: 300 });
const device = fc
  .tuple(ref, fc.nat({ max: kinds - 1 }), fc.nat({ max: 1000 }), place)
  .map(([number, kind, at, where]): IndexedDevice => ({ ref: number, kind, at, ...where }));
const act: fc.Arbitrary<Action> = fc.oneof(
  { weight: 40, arbitrary: device.map((each): Action => ({ act: 'put', device: each })) },
  { weight: 8, arbitrary: ref.map((number): Action => ({ act: 'remove', ref: number })) },
  { weight: 1, arbitrary: fc.constant<Action>({ act: 'fold' }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(bbox, fc.integer({ min: 0, max: 22 }), someKinds)
      .map(([box, zoom, meant]): Action => ({ act: 'look', bbox: box, zoom, meant })),
  },
);

const layersOf = (index: PointReader, meant: KindFilter) =>
  index.layers.map((layer, kind) => (meant(kind) ? layer : undefined));
const fold = (index: PointIndex) => {
  for (const layer of index.layers) for (const _ of layer.fold());
};

/** The devices whose refs are multiples of a number, and one that is not in the index. */
const multiplesOf = (factor: number, index: PointIndex) =>
  selectPoints(index, {
    size: Math.ceil(300 / factor),
    has: (ref) => ref % factor === 0,
    each(visit) {
      for (let ref = factor; ref <= 300 + factor; ref += factor) visit(ref);
    },
  });

/** Compares all queries of the index with a linear scan. */
function compare(asked: { index: PointReader; devices: IndexedDevice[]; bbox: Box; zoom: number; meant: KindFilter }) {
  const { index, devices, bbox: box, zoom, meant } = asked;
  const placed = devices.filter(isPlaced);
  const byKind = (some: IndexedDevice[]) =>
    Array.from({ length: kinds }, (_, kind) => some.filter((each) => each.kind === kind).length);
  expect(index.size).toBe(devices.length);
  expect(index.placed()).toEqual(byKind(placed));
  expect(index.unplaced()).toEqual(byKind(devices.filter((each) => !isPlaced(each))));
  expect(index.countIn(box)).toEqual(byKind(placed.filter((each) => isIn(each, box))));

  const shown = placed.filter(({ kind }) => meant(kind));
  const bounds = index.bounds(meant);
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
  const groups = groupsIn({ layers: layersOf(index, meant), bbox: box, resolution });
  const got = groups.map(({ key, count, byKind: types, newest, south, north, ref: one, x, y }) => ({
    ...{ key, count, byKind: types, newest, south, north, ref: count === 1 ? one : 0 },
    ...{ x: Math.round(x * 1000), y: Math.round(y * 1000) },
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

describe('a point index', () => {
  test('returns the same as a linear scan after any changes', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 500, size: 'max' }), (acts) => {
        const index = indexOf([], { folded: true });
        const devices = new Map<number, IndexedDevice>();
        for (const step of acts) {
          if (step.act === 'put') {
            const before = devices.get(step.device.ref);
            devices.set(step.device.ref, step.device);
            const changed = index.put(step.device);
            if (!before || before.kind !== step.device.kind) expect(changed).toBe(true);
          } else if (step.act === 'remove') {
            expect(index.remove(step.ref)).toBe(devices.delete(step.ref));
          } else if (step.act === 'fold') fold(index);
          else {
            compare({ ...step, index, devices: [...devices.values()] });
            // A large and a small selection.
            for (const factor of [2, 60]) {
              const selected = [...devices.values()].filter(({ ref }) => ref % factor === 0);
              compare({ ...step, index: multiplesOf(factor, index), devices: selected });
            }
          }
        }
        compare({ index, devices: [...devices.values()], bbox: world, zoom: 3, meant: every });
      }),
      { numRuns: runs },
    );
  });

  test('that was changed equals a new one', () => {
    fc.assert(
      fc.property(fc.array(device, { maxLength: 200, size: 'max' }), fc.integer({ min: 0, max: 16 }), (steps, zoom) => {
        const changed = indexOf(steps, { folded: false });
        const anew = indexOf(new Map(steps.map((each) => [each.ref, each])).values(), { folded: true });
        const resolution = clusterResolutionOf({ bbox: world, zoom });
        const [one, other] = [changed, anew].map((index) =>
          groupsIn({ layers: [...index.layers], bbox: world, resolution }),
        );
        const known = (group: Group) => ({ ...group, ref: group.count === 1 ? group.ref : 0 });
        expect(one!.map(known)).toEqual(other!.map(known));
        expect(changed.bounds()).toEqual(anew.bounds());
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
          const layers = [...indexOf(devices, { folded: true }).layers];
          const from = Math.max(-180, Math.min(100, west + moved));
          const groups = (left: number) => {
            const box: Box = [left, south, left + 80, south + 40];
            return groupsIn({ layers, bbox: box, resolution: clusterResolutionOf({ bbox: box, zoom }) });
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

  test('counts the devices in each pixel of the dots', () => {
    const size = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(fc.array(device, { maxLength: 150, size: 'max' }), bbox, size, size, (steps, box, width, height) => {
        fc.pre(box[3] > box[1] && box[2] !== box[0]);
        const picture = { bbox: box, width, height };
        const { pixelOf } = createRaster(picture);
        const expected = new Uint8Array(width * height);
        for (const each of new Map(steps.map((step) => [step.ref, step])).values()) {
          if (!isPlaced(each)) continue;
          const pixel = pixelOf(columnOf(each.longitude), rowOf(each.latitude));
          if (pixel >= 0) expected[pixel]! += 1;
        }
        expect(densityOf({ layers: indexOf(steps, { folded: false }).layers, ...picture })).toEqual(expected);
      }),
    );
    const raster = createRaster({ bbox: [170, -10, -170, 10], width: 200, height: 2 });
    expect(raster.pixelOf(columnOf(175.05), rowOf(5))).toBe(50);
    expect(raster.pixelOf(columnOf(-174.95), rowOf(-5))).toBe(200 + 150);
    expect(raster.pixelOf(columnOf(0), rowOf(5))).toBe(-1);
    const east = { ref: 1, kind: 0, at: 0, longitude: 172, latitude: 0 };
    const { layers } = indexOf([east], { folded: false });
    expect([...densityOf({ layers, bbox: [170, -90, -170, 90], width: 3, height: 1 })]).toEqual([1, 0, 0]);
  });

  test('is as fast with many devices at one spot', () => {
    const spot = { kind: 0, longitude: 7.447447, latitude: 46.947974 };
    const index = indexOf(
      Array.from({ length: 3000 }, (_, number) => ({ ref: number + 1, at: number, ...spot })),
      { folded: true },
    );
    const box: Box = [7.4474, 46.9479, 7.4475, 46.948];
    expect(index.countIn(box)).toEqual([3000, 0, 0]);
    expect(index.countIn([7.447447, 46.947974, 7.447447, 46.947974])).toEqual([3000, 0, 0]);
    const [group, ...others] = groupsIn({
      layers: [...index.layers],
      bbox: box,
      resolution: { zoom: 22, radius: 60, scale: 1 },
    });
    expect(others).toEqual([]);
    expect(group).toMatchObject({ count: 3000, west: spot.longitude, east: spot.longitude, newest: 2999 });
    expect(index.wantsFold).toBe(false);
    for (let number = 1; number <= 2500; number++) index.remove(number);
    expect(index.wantsFold).toBe(true);
    for (const _ of index.fold());
    expect(index.wantsFold).toBe(false);
    expect(index.placed()).toEqual([500, 0, 0]);
  });
});
