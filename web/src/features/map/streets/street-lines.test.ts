import { GeomType, type Feature } from 'protomaps-leaflet';
import { expect, test } from 'vitest';
import { joinRoads } from './street-lines.ts';

type Points = readonly (readonly [x: number, y: number])[];
const road = (name: string, ...lines: Points[]): Feature => ({
  props: { kind: 'residential', name },
  bbox: { minX: 0, minY: 0, maxX: 0, maxY: 0 },
  geomType: GeomType.Line,
  geom: lines.map((line) => line.map(([x, y]) => ({ x, y }))) as unknown as Feature['geom'],
  numVertices: 0,
});
const linesOf = (features: readonly Feature[]) =>
  features.map(({ props, geom }) => [props['name'], geom.map((line) => line.map(({ x, y }) => [x, y]))]);

test('the pieces of a road between its crossings are one line, in any order and direction', () => {
  const pieces = [
    road('Kopfstraße', [
      [60, 1],
      [30, 0],
    ]),
    road('Ilsestraße', [
      [30, 0],
      [30, 50],
    ]),
    road('Kopfstraße', [
      [0, 0],
      [30, 0],
    ]),
    road('Kopfstraße', [
      [60, 1],
      [90, 0],
      [90, 40],
    ]),
  ];
  const found = joinRoads(pieces);
  expect(linesOf(found)).toEqual([
    [
      'Kopfstraße',
      [
        [
          [90, 40],
          [90, 0],
          [0, 0],
        ],
      ],
    ],
    [
      'Ilsestraße',
      [
        [
          [30, 0],
          [30, 50],
        ],
      ],
    ],
  ]);
  expect(found[0]!.bbox).toEqual({ minX: 0, minY: 0, maxX: 90, maxY: 40 });
});

test('a ring ends, parts that do not meet stay apart, and a line of one point is left out', () => {
  const ring = road('Ring', [
    [0, 0],
    [50, 0],
    [50, 50],
    [0, 50],
    [0, 0],
  ]);
  const apart = road(
    'Allee',
    [
      [0, 0],
      [9, 0],
    ],
    [
      [20, 0],
      [29, 0],
    ],
    [[5, 5]],
  );
  const [one, other] = joinRoads([ring, apart]);
  expect(one!.geom.map(({ length }) => length)).toEqual([5]);
  expect(other!.geom.map(({ length }) => length)).toEqual([2, 2]);
});
