import { gzipSync } from 'node:zlib';

/** The zoom of the vector tile, which is drawn as four tiles of the next zoom. */
const z = 13;
/** 54° N 10° E is in it. `id`: its number on the Hilbert curve. */
const at = { x: 4323, y: 2630, id: 79_447_014 };
const extent = 4096;

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const field = (number: number, value: number) => [...varint(number * 8), ...varint(value)];
const message = (number: number, bytes: Uint8Array | number[]) => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const text = (value: string) => new TextEncoder().encode(value);
const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);

type Point = [x: number, y: number];
type Properties = Record<string, string | number>;
/** `type`: 1 is a point, 2 a line, 3 a polygon. */
interface Feature {
  type: 1 | 2 | 3;
  points: Point[];
  properties: Properties;
}

/** A layer, with a table of keys and one of values: https://github.com/mapbox/vector-tile-spec. */
function layer(name: string, features: Feature[]) {
  const properties = features.flatMap((feature) => Object.entries(feature.properties));
  let used = 0;
  const encoded = features.map(({ type, points, properties: own }) => {
    const steps = points.map(([x, y], index) => {
      const [beforeX, beforeY] = points[index - 1] ?? [0, 0];
      return [zigzag(x - beforeX), zigzag(y - beforeY)];
    });
    const rest = type === 1 ? [] : [2 + (points.length - 1) * 8, ...steps.slice(1).flat()];
    const close = type === 3 ? [15] : [];
    const geometry = [9, ...steps[0]!, ...rest, ...close].flatMap(varint);
    const tags = Object.keys(own).flatMap(() => [used, used++].flatMap(varint));
    return message(2, [...message(2, tags), ...field(3, type), ...message(4, geometry)]);
  });
  return message(3, [
    ...field(15, 2),
    ...message(1, text(name)),
    ...encoded.flat(),
    ...properties.flatMap(([key]) => message(3, text(key))),
    ...properties.flatMap(([, value]) =>
      message(4, typeof value === 'number' ? field(5, value) : message(1, text(value))),
    ),
    ...field(5, extent),
  ]);
}

/** The schemas of vector tiles that the map draws, and one that it does not know. */
export type Schema = 'protomaps' | 'openmaptiles' | 'shortbread' | 'unknown';
type Part =
  | 'land'
  | 'sea'
  | 'lake'
  | 'park'
  | 'river'
  | 'building'
  | 'path'
  | 'rail'
  | 'minor'
  | 'major'
  | 'main'
  | 'town'
  | 'quarter';

/** The layer and the properties of each part, as the documents of the schemas say. `names`: a layer of its own for names. */
const schemas: Record<Schema, Partial<Record<Part, [layer: string, properties: Properties]>> & { names?: string }> = {
  protomaps: {
    land: ['earth', { kind: 'earth' }],
    sea: ['water', { kind: 'ocean' }],
    lake: ['water', { kind: 'lake' }],
    park: ['landuse', { kind: 'park' }],
    river: ['water', { kind: 'river' }],
    building: ['buildings', { kind: 'building' }],
    path: ['roads', { kind: 'path', kind_detail: 'footway' }],
    rail: ['roads', { kind: 'rail' }],
    minor: ['roads', { kind: 'minor_road' }],
    major: ['roads', { kind: 'major_road' }],
    main: ['roads', { kind: 'highway' }],
    town: ['places', { kind: 'locality', kind_detail: 'city', min_zoom: 5 }],
    quarter: ['places', { kind: 'neighbourhood' }],
  },
  openmaptiles: {
    sea: ['water', { class: 'ocean' }],
    lake: ['water', { class: 'lake' }],
    park: ['landcover', { class: 'grass', subclass: 'park' }],
    river: ['waterway', { class: 'river' }],
    building: ['building', { render_height: 9 }],
    path: ['transportation', { class: 'path', subclass: 'footway' }],
    rail: ['transportation', { class: 'rail', subclass: 'rail' }],
    minor: ['transportation', { class: 'minor' }],
    major: ['transportation', { class: 'primary' }],
    main: ['transportation', { class: 'motorway' }],
    town: ['place', { class: 'city', rank: 4 }],
    quarter: ['place', { class: 'suburb' }],
    names: 'transportation_name',
  },
  shortbread: {
    sea: ['ocean', {}],
    lake: ['water_polygons', { kind: 'water' }],
    park: ['land', { kind: 'park' }],
    river: ['water_lines', { kind: 'river' }],
    building: ['buildings', {}],
    path: ['streets', { kind: 'footway' }],
    rail: ['streets', { kind: 'rail' }],
    minor: ['streets', { kind: 'residential' }],
    major: ['streets', { kind: 'primary' }],
    main: ['streets', { kind: 'motorway' }],
    town: ['place_labels', { kind: 'city' }],
    quarter: ['place_labels', { kind: 'suburb' }],
    names: 'street_labels',
  },
  unknown: { sea: ['ocean_areas', {}], minor: ['osm_roads', {}] },
};

interface CityFeature {
  part: Part;
  type: Feature['type'];
  points: Point[];
  name?: string;
}

const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** A city on a coast: blocks of houses between streets, a park with a lake, a river, a railway and a motorway. */
function city(): CityFeature[] {
  const shore: Point[] = [
    [0, 2900],
    [700, 3100],
    [1500, 2950],
    [2300, 3300],
    [3100, 3150],
    [extent, 3500],
  ];
  const line = (part: Part, points: Point[], name?: string): CityFeature => ({
    part,
    type: 2,
    points,
    ...(name && { name }),
  });
  const streets: CityFeature[] = [];
  const houses: CityFeature[] = [];
  for (let at = 200; at < extent; at += 300) {
    streets.push(
      line(
        'minor',
        [
          [at, 150],
          [at, 2750],
        ],
        `Street ${at / 100}`,
      ),
    );
    if (at < 2800)
      streets.push(
        line('minor', [
          [0, at],
          [extent, at],
        ]),
      );
    for (let y = 200; y < 2600; y += 300)
      if (!(at > 1900 && at < 2900 && y > 700 && y < 1500))
        houses.push(
          { part: 'building', type: 3, points: rectangle(at + 40, y + 40, 90, 220) },
          { part: 'building', type: 3, points: rectangle(at + 160, y + 40, 100, 100) },
        );
  }
  return [
    { part: 'land', type: 3, points: [[0, 0], [extent, 0], ...shore.toReversed()] },
    { part: 'sea', type: 3, points: [...shore, [extent, extent], [0, extent]] },
    { part: 'park', type: 3, points: rectangle(2000, 800, 900, 600) },
    { part: 'lake', type: 3, points: rectangle(2250, 950, 300, 200) },
    ...houses,
    ...streets,
    line('path', [
      [2000, 1400],
      [2400, 1200],
      [2900, 800],
    ]),
    line('river', [
      [1000, 0],
      [1050, 1500],
      [1150, 3000],
    ]),
    line('rail', [
      [0, 350],
      [2000, 500],
      [extent, 450],
    ]),
    line(
      'major',
      [
        [0, 1700],
        [extent, 1700],
      ],
      'Harbour Street',
    ),
    line(
      'major',
      [
        [1400, 0],
        [1400, 2900],
      ],
      'Station Road',
    ),
    line('main', [
      [3300, 0],
      [3300, 3200],
    ]),
    { part: 'town', type: 1, points: [[2048, 1850]], name: 'Harbourtown' },
    { part: 'quarter', type: 1, points: [[500, 1000]], name: 'Old Quarter' },
  ];
}

/** The layers of a tile with the city. */
function cityTile(schema: Schema): { tile: number[]; layers: string[] } {
  const { names, ...parts } = schemas[schema];
  const features = new Map<string, Feature[]>();
  const add = (name: string, feature: Feature) => features.set(name, [...(features.get(name) ?? []), feature]);
  for (const { part, type, points, name } of city()) {
    const [layerName, properties] = parts[part] ?? [];
    if (layerName === undefined || !properties) continue;
    const named = { ...properties, ...(name && { name }) };
    add(layerName, { type, points, properties: names && type === 2 ? properties : named });
    if (names && type === 2 && name) add(names, { type, points, properties: named });
  }
  return { tile: [...features].flatMap(([name, all]) => layer(name, all)), layers: [...features.keys()] };
}

/** Land, and two streets that cross it. */
function crossing(): number[] {
  return [
    ...layer('earth', [{ type: 3, points: rectangle(0, 0, extent, extent), properties: { kind: 'earth' } }]),
    ...layer('roads', [
      {
        type: 2,
        points: [
          [0, 1500],
          [extent, 1500],
        ],
        properties: { kind: 'major_road', name: 'Harbour Street' },
      },
      {
        type: 2,
        points: [
          [2500, 0],
          [2500, extent],
        ],
        properties: { kind: 'highway' },
      },
    ]),
  ];
}

/**
 * A PMTiles archive with one vector tile: land with two streets, or a city in the layers of a schema. `isEverywhere`: all tiles are
 * this one.
 */
export function streetArchive({
  isEverywhere = false,
  schema,
}: { isEverywhere?: boolean; schema?: Schema } = {}): Uint8Array {
  const { tile, layers } = schema ? cityTile(schema) : { tile: crossing(), layers: [] };
  const longitude = (x: number) => (x / 2 ** z) * 360 - 180;
  const latitude = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI;
  // not its neighbours
  const inset = 0.01;
  const ofTile = [at.x + inset, at.y + 1 - inset, at.x + 1 - inset, at.y + inset].map((value, index) =>
    index % 2 === 0 ? longitude(value) : latitude(value),
  );
  const bbox = isEverywhere ? [-180, -85, 180, 85] : ofTile;
  const data = gzipSync(Uint8Array.from(tile));
  // before a zoom are the tiles of all zooms above it
  const [first, count] = isEverywhere ? [(4 ** z - 1) / 3, 4 ** z] : [at.id, 1];
  // one entry: id, run length, length, and offset + 1
  const directory = gzipSync(Uint8Array.from([1, first, count, data.length, 1].flatMap(varint)));
  const metadata = gzipSync(
    JSON.stringify({
      attribution: '<a href="https://maps.example.org/">Harbour maps</a>',
      vector_layers: layers.map((id) => ({ id, fields: {} })),
    }),
  );
  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 'latin1');
  let offset = header.length;
  [directory, metadata, Buffer.alloc(0), data].forEach(({ length }, part) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + part * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + part * 16);
    offset += length;
  });
  // directories and tiles are compressed with gzip (2), and the tiles are vector tiles (1)
  header.set([1, 2, 2, 1, z, z], 96);
  bbox.forEach((degrees, index) => header.writeInt32LE(degrees * 1e7, 102 + index * 4));
  return Buffer.concat([header, directory, metadata, data]);
}
