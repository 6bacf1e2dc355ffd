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

/** `type`: 2 is a line, 3 a polygon. */
interface Feature {
  type: 2 | 3;
  points: [x: number, y: number][];
  properties: Record<string, string>;
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
    const lineTo = 2 + (points.length - 1) * 8;
    const close = type === 3 ? [15] : [];
    const geometry = [9, ...steps[0]!, lineTo, ...steps.slice(1).flat(), ...close].flatMap(varint);
    const tags = Object.keys(own).flatMap(() => [used, used++]);
    return message(2, [...message(2, tags), ...field(3, type), ...message(4, geometry)]);
  });
  return message(3, [
    ...field(15, 2),
    ...message(1, text(name)),
    ...encoded.flat(),
    ...properties.flatMap(([key]) => message(3, text(key))),
    ...properties.flatMap(([, value]) => message(4, message(1, text(value)))),
    ...field(5, extent),
  ]);
}

/** A PMTiles archive with one vector tile: land, and two streets that cross it. `isEverywhere`: all tiles are this one. */
export function streetArchive({ isEverywhere = false } = {}): Uint8Array {
  const land: [number, number][] = [
    [0, 0],
    [extent, 0],
    [extent, extent],
    [0, extent],
  ];
  const tile = [
    ...layer('earth', [{ type: 3, points: land, properties: { kind: 'earth' } }]),
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
  const metadata = gzipSync(JSON.stringify({ attribution: '<a href="https://maps.example.org/">Harbour maps</a>' }));
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
