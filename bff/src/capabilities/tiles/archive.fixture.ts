import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

interface TestArchive {
  /** By "z/x/y". The bytes are stored as they are. */
  tiles: Record<string, Uint8Array>;
  kind?: 'vector' | 'raster';
  attribution?: string;
  /** The names in `vector_layers` of the metadata. */
  layers?: string[];
  zooms?: [number, number];
  bbox?: [number, number, number, number];
  /** Puts the tiles into a second directory. */
  hasLeaf?: boolean;
  /** More entries of the directory with the tiles, behind them. They have no bytes. */
  emptyEntries?: number;
}

/** The bytes of a PMTiles archive: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. */
export function archiveOf(archive: TestArchive): Buffer<ArrayBuffer> {
  const { tiles, kind = 'vector', zooms = [0, 14], bbox = [-180, -85, 180, 85], hasLeaf = false } = archive;
  const { attribution, layers, emptyEntries = 0 } = archive;
  const idOf = (name: string) => zxyToTileId(...(name.split('/').map(Number) as [number, number, number]));
  const sorted = Object.entries(tiles).toSorted(([a], [b]) => idOf(a) - idOf(b));
  const entries = sorted.map(([name, { length }]) => ({ id: idOf(name), runLength: 1, length }));
  const last = entries.at(-1)?.id ?? 0;
  for (let more = 1; more <= emptyEntries; more++) entries.push({ id: last + more, runLength: 1, length: 0 });
  const leaf = hasLeaf ? directoryOf(entries) : Buffer.alloc(0);
  const root = hasLeaf ? directoryOf([{ id: 0, runLength: 0, length: leaf.length }]) : directoryOf(entries);
  const metadata = gzipSync(JSON.stringify({ attribution, vector_layers: layers?.map((id) => ({ id, fields: {} })) }));
  const data = Buffer.concat(sorted.map(([, bytes]) => bytes));

  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 'latin1');
  let offset = header.length;
  [root, metadata, leaf, data].forEach(({ length }, part) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + part * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + part * 16);
    offset += length;
  });
  // Directories are compressed with gzip (2), and so are vector tiles.
  header.set([1, 2, kind === 'vector' ? 2 : 1, kind === 'vector' ? 1 : 2, ...zooms], 96);
  bbox.forEach((degrees, at) => header.writeInt32LE(degrees * 1e7, 102 + at * 4));
  return Buffer.concat([header, root, metadata, leaf, data]);
}

/** Columns of the entries: the differences of their ids, then their run lengths, lengths and offsets. */
function directoryOf(entries: { id: number; runLength: number; length: number }[]): Buffer {
  const ids = entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0));
  // 0: directly after the entry before.
  const offsets = entries.map((_, at) => (at === 0 ? 1 : 0));
  const numbers = [
    entries.length,
    ...ids,
    ...entries.map(({ runLength }) => runLength),
    ...entries.map(({ length }) => length),
    ...offsets,
  ];
  return gzipSync(Buffer.from(numbers.flatMap(varint)));
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}
