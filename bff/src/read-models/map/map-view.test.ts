import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MapFeature } from '../../contract.ts';
import { machineTypes } from '../../core/limits/field-rules.ts';
import { clusterRadius } from './symbol-size.ts';
import type { Bbox } from '../devices/device-query.ts';
import { mapOfList, type ListedDevice } from './map-of-list.ts';
import { devicesOfSlots, mapViewOf } from './map-view.ts';
import { toX, toY } from './mercator.ts';
import { createMapTable } from './map-devices.fixture.ts';

const world: Bbox = [-180, -90, 180, 90];
type Point = [longitude: number, latitude: number] | null;

/** An index of these devices, with changes one second apart and alternating machine types. */
function indexOf(...points: Point[]) {
  const { table, put } = createMapTable();
  const typeOf = (number: number) => machineTypes[number % 3]!;
  points.forEach((point, number) => {
    const [longitude, latitude] = point ?? [null, null];
    put({ ref: number + 1, kind: number % 3, longitude, latitude, at: number * 1000 });
  });
  const namesOf = (refs: number[]) =>
    refs.map((ref) => ({
      ref,
      id: `id-${ref - 1}`,
      name: `name ${ref - 1}`,
      machine_type: typeOf(ref - 1),
      changed_at: new Date((ref - 1) * 1000).toISOString(),
      presence: { state: 'never' as const },
    }));
  return {
    view(part: { bbox: Bbox; zoom: number }) {
      const devices = devicesOfSlots({ table, slots: Uint32Array.from({ length: table.end }, (_, slot) => slot) });
      const view = mapViewOf({ devices, hasRoles: false, version: 'v', ...part });
      return view.withNames(namesOf(view.refs));
    },
  };
}
type MapIndex = ReturnType<typeof indexOf>;

const withoutPresence = (view: object): unknown =>
  JSON.parse(JSON.stringify(view, (key, value: unknown) => (key.includes('presence') ? undefined : value)));
const featuresOf = (index: MapIndex, zoom: number, bbox = world) => index.view({ bbox, zoom }).features;
const countOf = ({ properties }: MapFeature) => (properties.cluster ? properties.point_count : 1);
const sumOf = (features: MapFeature[]) => features.reduce((sum, feature) => sum + countOf(feature), 0);

/** The position of a feature in px at `zoom`. */
function pixelsOf({ geometry: { coordinates } }: MapFeature, zoom: number) {
  const side = 256 * 2 ** zoom;
  return { x: toX(coordinates[0]) * side, y: toY(coordinates[1]) * side, side };
}

function distance(a: MapFeature, b: MapFeature, zoom: number) {
  const [p, q] = [pixelsOf(a, zoom), pixelsOf(b, zoom)];
  const dx = q.x - p.x;
  // The shorter way around the world.
  return Math.hypot(dx - Math.round(dx / p.side) * p.side, p.y - q.y);
}

// Towns and single devices, because uniform noise has no clusters.
const town = fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }));
const nearTown = fc
  .tuple(
    town,
    fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), { maxLength: 30 }),
  )
  .map(([[longitude, latitude], offsets]) =>
    offsets.map(([east, north]): Point => [
      Math.max(-180, Math.min(180, longitude + east / 10)),
      Math.max(-90, Math.min(90, latitude + north / 10)),
    ]),
  );
const points = fc
  .tuple(fc.array(nearTown, { maxLength: 8 }), fc.array(town, { maxLength: 20 }))
  .map(([towns, lone]): Point[] => [...towns.flat(), ...lone, null]);
const zooms = fc.integer({ min: 0, max: 22 });
const bboxes = fc.constantFrom<Bbox>(world, [-80, -40, 80, 60], [150, -60, -150, 60], [5, 40, 15, 50]);

describe('a view of the map', () => {
  test('draws a single device as itself', () => {
    expect(indexOf([8.5, 47.4]).view({ bbox: world, zoom: 5 })).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'id-0',
          geometry: { type: 'Point', coordinates: [8.5, 47.4] },
          properties: {
            cluster: false,
            id: 'id-0',
            name: 'name 0',
            machine_type: 'pc',
            changed_at: '1970-01-01T00:00:00.000Z',
            presence: { state: 'never' },
          },
        },
      ],
      total: 1,
      unplaced: 0,
      version: 'v',
      bounds: [8.5, 47.4, 8.5, 47.4],
    });
  });

  test('clusters neighbours, with their types, their extent and the newest change', () => {
    const index = indexOf([10, 50], [10.2, 50.3], [10.1, 49.9], null);
    const [feature, ...others] = featuresOf(index, 4);
    expect(others).toEqual([]);
    expect(feature?.properties).toEqual({
      cluster: true,
      point_count: 3,
      by_type: { pc: 1, bug: 1, smartphone: 1 },
      by_presence: { online: 3, offline: 0, silent: 0, never: 0 },
      newest: '1970-01-01T00:00:02.000Z',
      bbox: [10, 49.9, 10.2, 50.3],
    });
    expect(featuresOf(index, 12, [9, 49, 11, 51])).toHaveLength(3);
    expect(index.view({ bbox: world, zoom: 4 })).toMatchObject({ total: 4, unplaced: 1 });
  });

  test('has the bounds of a cluster, rounded to a centimetre', () => {
    const [feature] = featuresOf(indexOf([10.123456789, 50.000000001], [10.198765432, -0.2], [10.15, 50.01]), 0);
    expect(feature?.properties).toMatchObject({ bbox: [10.1234567, -0.2, 10.1987655, 50.01] });
    const [spot] = featuresOf(indexOf([10.123456789, 50.000000001], [10.123456789, 50.000000001]), 4);
    expect(spot?.properties).toMatchObject({ bbox: [10.123456789, 50.000000001, 10.123456789, 50.000000001] });
  });

  test('has no bounds without placed devices', () => {
    expect(indexOf(null).view({ bbox: world, zoom: 3 })).toMatchObject({ features: [], bounds: null, unplaced: 1 });
  });

  test('has the smallest bounds, also across the antimeridian', () => {
    expect(indexOf([178, -18], [-172, -13]).view({ bbox: world, zoom: 1 }).bounds).toEqual([178, -18, -172, -13]);
    expect(indexOf([-120, 1], [130, 2]).view({ bbox: world, zoom: 1 }).bounds).toEqual([130, 1, -120, 2]);
    expect(indexOf([-80, 1], [10, 5], [90, 2]).view({ bbox: world, zoom: 1 }).bounds).toEqual([-80, 1, 90, 5]);
  });

  test('clusters across the antimeridian, with bounds that cross it', () => {
    const [feature, ...others] = featuresOf(indexOf([179.9, 0], [-179.9, 1]), 4);
    expect(others).toEqual([]);
    expect(Math.abs(feature!.geometry.coordinates[0])).toBeCloseTo(180);
    expect(feature?.properties).toMatchObject({ bbox: [179.9, 0, -179.9, 1] });
    expect(featuresOf(indexOf([179.9, 0], [-179.9, 1]), 4, [170, -10, -170, 10])).toHaveLength(1);
    expect(featuresOf(indexOf([0, 0]), 4, [170, -10, -170, 10])).toEqual([]);
  });

  test('shows the poles on the edge of the map', () => {
    expect(sumOf(featuresOf(indexOf([180, -90], [-180, 90], [0, 89.9]), 6))).toBe(3);
    expect(featuresOf(indexOf([180, -90]), 6, [170, -90, 180, -80])).toMatchObject([
      { geometry: { coordinates: [180, -90] } },
    ]);
  });

  test('never splits devices at one spot', () => {
    const index = indexOf([7.447447, 46.947974], [7.447447, 46.947974]);
    const [feature, ...others] = featuresOf(index, 22, [7.447, 46.947, 7.448, 46.948]);
    expect(others).toEqual([]);
    expect(feature?.properties).toMatchObject({ point_count: 2, bbox: [7.447447, 46.947974, 7.447447, 46.947974] });
  });

  test('has at most about 600 symbols for any size and any number of devices', () => {
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const index = indexOf(...Array.from({ length: 60_000 }, (): Point => [random() * 360 - 180, random() * 170 - 85]));
    for (const zoom of [0, 2, 3, 4, 5, 7, 22]) {
      for (const share of [0.05, 0.3, 1]) {
        const view: Bbox = [-180 * share, -85 * share, 180 * share, 85 * share];
        expect(featuresOf(index, zoom, view).length).toBeLessThan(700);
      }
    }
  });
});

describe('arbitrary devices', () => {
  test('are in the world view once, at every zoom', () => {
    fc.assert(
      fc.property(points, zooms, (devices, zoom) => {
        const { features, total, unplaced } = indexOf(...devices).view({ bbox: world, zoom });
        expect(sumOf(features)).toBe(total - unplaced);
        expect(total).toBe(devices.length);
        expect(new Set(features.map(({ id }) => id)).size).toBe(features.length);
        for (const { properties } of features) {
          if (properties.cluster) {
            const byType = Object.values(properties.by_type).reduce((sum, count) => sum + count, 0);
            expect(byType).toBe(properties.point_count);
          }
        }
      }),
    );
  });

  test('have the same symbols in two overlapping views', () => {
    const view = fc.record({
      west: fc.double({ min: -180, max: 100, noNaN: true }),
      moved: fc.double({ min: -60, max: 60, noNaN: true }),
      south: fc.double({ min: -80, max: 40, noNaN: true }),
    });
    fc.assert(
      fc.property(points, fc.integer({ min: 2, max: 8 }), view, (devices, zoom, { west, moved, south }) => {
        const index = indexOf(...devices);
        const from = Math.max(-180, Math.min(100, west + moved));
        const [one, two]: [Bbox, Bbox] = [
          [west, south, west + 80, south + 40],
          [from, south, from + 80, south + 40],
        ];
        const both = ([longitude]: number[]) =>
          longitude! >= Math.max(west, from) && longitude! <= Math.min(west, from) + 80;
        const inBoth = (bbox: Bbox) =>
          featuresOf(index, zoom, bbox).filter(({ geometry: { coordinates } }) => both(coordinates));
        expect(inBoth(one)).toEqual(inBoth(two));
      }),
    );
  });

  test('keep their symbols when a distant device moves', () => {
    const far = fc.array(town.map(([longitude, latitude]): Point => [Math.abs(longitude) / 2 + 20, latitude]));
    fc.assert(
      fc.property(far, town, town, (devices, [a], [b]) => {
        const moved = (longitude: number) => indexOf(...devices, [-Math.abs(longitude) / 2 - 20, 0]);
        const east = (index: MapIndex) => featuresOf(index, 5, [10, -90, 120, 90]);
        expect(east(moved(a))).toEqual(east(moved(b)));
      }),
    );
  });

  test('have symbols that do not overlap at any zoom', () => {
    const radiusOf = (feature: MapFeature) => clusterRadius(countOf(feature));
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 9 }), bboxes, (devices, zoom, bbox) => {
        const features = featuresOf(indexOf(...devices), zoom, bbox);
        for (const [index, a] of features.entries()) {
          for (const b of features.slice(index + 1)) {
            // The map requests a whole zoom that is at most a quarter above its own.
            expect(distance(a, b, zoom - 0.25)).toBeGreaterThan(radiusOf(a) + radiusOf(b));
          }
        }
      }),
      { examples: [[[[0, 0.1], [2.9, -4.4], [0, -2.9], ...Array.from({ length: 7 }, (): Point => [0, 0])], 4, world]] },
    );
  });

  test('are the same if the app draws them from its list', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 9 }), bboxes, (devices, zoom, bbox) => {
        const listed = devices.map((point, number): ListedDevice => ({
          id: `id-${number}`,
          name: `name ${number}`,
          machine_type: machineTypes[number % 3]!,
          changed_at: new Date(number * 1000).toISOString(),
          presence: { state: 'never' },
          ...(point && { position: { longitude: point[0], latitude: point[1] } }),
        }));
        const { version: _ours, ...view } = mapOfList({ devices: listed, hasRoles: false, bbox, zoom });
        const { version: _theirs, ...expected } = indexOf(...devices).view({ bbox, zoom });
        expect(withoutPresence(view)).toEqual(withoutPresence(expected));
      }),
    );
  });
});
