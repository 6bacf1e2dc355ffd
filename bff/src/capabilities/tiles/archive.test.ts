/** Tiles of a file: archives that are as they should be, and those that are not. */
import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { archiveOf } from './archive.fixture.ts';
import { dropDirectories, openArchive } from './archive.ts';
import { png } from './tile-server.fixture.ts';
import { createTestTiles } from './tiles.fixture.ts';

const MB = 1024 * 1024;
const road = gzipSync('a vector tile');
const street = { '5/16/10': road };

/** A folder with one archive. */
function createFile(bytes: Uint8Array = archiveOf({ tiles: street })) {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-'));
  const path = join(folder, 'berlin.pmtiles');
  writeFileSync(path, bytes);
  return { path, folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

async function createArchiveTiles(path: string) {
  const tiles = await createTestTiles();
  tiles.restart({ archive: await openArchive(path) });
  return tiles;
}

test.each([false, true])('a vector tile is served as it is stored, with a second directory: %s', async (hasLeaf) => {
  const bbox: [number, number, number, number] = [13, 52, 14, 53];
  const attribution =
    '<a href="https://protomaps.com">Protomaps</a> &copy; <a href="https://osm.org/">OpenStreetMap</a>';
  using file = createFile(archiveOf({ tiles: street, hasLeaf, bbox, attribution, zooms: [3, 9] }));
  await using tiles = await createArchiveTiles(file.path);
  expect(await (await tiles.request('')).json()).toEqual({
    name: 'berlin.pmtiles',
    kind: 'vector',
    covers: { min_zoom: 3, max_zoom: 9, bbox },
    attribution: { text: 'Protomaps © OpenStreetMap', url: 'https://osm.org/' },
    retina: false,
  });
  const answer = await tiles.request('/5/16/10');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=86400',
  });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(road);
  const etag = answer.headers.get('etag')!;
  expect((await tiles.request('/5/16/10', { headers: { 'if-none-match': etag } })).status).toBe(304);
  for (const none of ['/5/16/11', '/2/1/1', '/10/16/10', '/5/16/10@2x'])
    expect(await tiles.outcome(none)).toBe('404 tile.not_found');
  expect([tiles.warned, tiles.failed, tiles.server.asked]).toEqual([[], [], []]);
});

test.each([
  ['protomaps', ['boundaries', 'buildings', 'earth', 'landuse', 'places', 'roads', 'water']],
  ['openmaptiles', ['water', 'landcover', 'landuse', 'transportation', 'transportation_name', 'place', 'building']],
  ['shortbread', ['ocean', 'land', 'buildings', 'boundaries', 'streets', 'street_labels', 'place_labels']],
  ['unknown', ['water', 'osm_roads', 'buildings', 'pois']],
  [undefined, []],
])('the layers of the tiles are told by their names: %s', async (layers, names) => {
  using file = createFile(archiveOf({ tiles: street, layers: names }));
  await using tiles = await createArchiveTiles(file.path);
  expect(await (await tiles.request('')).json()).toMatchObject(layers ? { layers } : { kind: 'vector' });
  const told = expect.objectContaining({
    message: expect.stringContaining('layers are not those of') as string,
  }) as unknown;
  expect(tiles.warned).toEqual(layers === 'unknown' ? [told] : []);
});

test('an image is served; its name is the attribution if the file has none', async () => {
  using file = createFile(archiveOf({ tiles: { '1/0/0': png() }, kind: 'raster' }));
  await using tiles = await createArchiveTiles(file.path);
  expect(await (await tiles.request('')).json()).toMatchObject({
    kind: 'raster',
    attribution: { text: 'berlin.pmtiles' },
  });
  const answer = await tiles.request('/1/0/0');
  expect([answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual(['image/png', null]);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png());
});

const whole = archiveOf({ tiles: street });
const changed = (at: number, value: number) => Buffer.from(whole).fill(value, at, at + 1);
test.each([
  ['is empty', Buffer.alloc(0), /not a PMTiles archive/],
  ['is a ZIP file', Buffer.from('PK\u0003\u0004 and more'), /not a PMTiles archive/],
  ['ends in its header', whole.subarray(0, 60), /not a PMTiles archive/],
  ['ends in its first directory', whole.subarray(0, 130), /not a PMTiles archive/],
  ['ends in its tiles', whole.subarray(0, -1), /^is truncated/],
  ['has a damaged first directory', changed(140, 0xff), /not a PMTiles archive/],
  ['has damaged metadata', changed(Number(whole.readBigUInt64LE(24)) + 12, 0xff), /metadata/],
  ['is of version 2', changed(7, 2), /^is version 2/],
  ['has tiles of AVIF', changed(99, 5), /other tiles/],
  ['has tiles of Brotli', changed(98, 3), /not supported: 3/],
  ['has directories of Brotli', changed(97, 3), /not a PMTiles archive/],
])('a file that %s is refused at the start', async (_, bytes, reason) => {
  using file = createFile(bytes);
  await expect(openArchive(file.path)).rejects.toThrow(reason);
});

test('a folder and a file that does not exist are refused', async () => {
  using file = createFile();
  await expect(openArchive(file.folder)).rejects.toThrow('is not a file');
  await expect(openArchive(`${file.path}2`)).rejects.toThrow('ENOENT');
});

test('damaged tiles are missing and logged once; the others are served', async () => {
  using file = createFile(
    archiveOf({
      tiles: {
        ...street,
        '6/0/0': Buffer.alloc(5 * MB),
        '6/1/0': gzipSync(Buffer.alloc(20 * MB)),
        '6/2/0': road.subarray(0, -5),
        '6/3/0': Buffer.from('<script>alert(1)</script>'),
        '6/4/0': Buffer.alloc(0),
      },
    }),
  );
  await using tiles = await createArchiveTiles(file.path);
  for (const x of [0, 1, 2, 3, 4]) expect(await tiles.outcome(`/6/${x}/0`)).toBe('404 tile.not_found');
  expect(await tiles.outcome('/5/16/10')).toBe('200');
  const facts = { source: 'berlin.pmtiles', tile: '6/0/0', reason: `has ${5 * MB} bytes` };
  expect(tiles.warned).toEqual([{ message: 'a tile of the map file cannot be used', facts }]);
  expect(tiles.failed).toEqual([]);
});

test('an image file with HTML in it does not serve the HTML', async () => {
  using file = createFile(archiveOf({ tiles: { '1/0/0': Buffer.from('<b>hi</b>') }, kind: 'raster' }));
  await using tiles = await createArchiveTiles(file.path);
  expect(await tiles.outcome('/1/0/0')).toBe('404 tile.not_found');
});

test('a second directory that is damaged, or too large, hides its tiles only', async () => {
  const bytes = archiveOf({ tiles: street, hasLeaf: true });
  bytes.fill(0xff, Number(bytes.readBigUInt64LE(40)), Number(bytes.readBigUInt64LE(40)) + 20);
  using file = createFile(bytes);
  await using tiles = await createArchiveTiles(file.path);
  expect(await tiles.outcome('/5/16/10')).toBe('404 tile.not_found');
  expect(tiles.failed).toEqual([]);
});

test('a small file with very large directories is refused before they are built', async () => {
  const most = 100_000;
  const large = (emptyEntries: number, hasLeaf: boolean) => archiveOf({ tiles: street, hasLeaf, emptyEntries });
  expect(large(200_000, false).length).toBeLessThan(60 * 1024);
  using file = createFile(large(200_000, false));
  await expect(openArchive(file.path)).rejects.toThrow(`with 200001 entries, more than ${most}`);

  using second = createFile(large(most, true));
  await using tiles = await createArchiveTiles(second.path);
  expect(await tiles.outcome('/5/16/10')).toBe('404 tile.not_found');
  expect(tiles.warned).toMatchObject([
    { facts: { reason: `has a directory with ${most + 1} entries, more than ${most}` } },
  ]);

  using allowed = createFile(large(most - 1, true));
  tiles.restart({ archive: await openArchive(allowed.path) });
  expect(await tiles.outcome('/5/16/10')).toBe('200');
});

test('directories are kept up to a number of entries, those that were used last', () => {
  const directory = (lastUsed: number, entries: number) => ({ lastUsed, data: Array.from<never>({ length: entries }) });
  const header = { lastUsed: 9, data: {} as never };
  const cache = new Map([
    ['a', directory(1, 1)],
    ['b', directory(8, 100_000)],
    ['header', header],
    ...Array.from({ length: 4 }, (_, at) => [`c${at}`, directory(2 + at, 100_000)] as const),
  ]);
  dropDirectories(cache);
  expect([...cache.keys()].toSorted()).toEqual(['b', 'c0', 'c1', 'c2', 'c3', 'header']);
});

test('a directory that has fewer entries than it says is refused', async () => {
  const bytes = archiveOf({ tiles: street });
  const [offset, length] = [Number(bytes.readBigUInt64LE(8)), Number(bytes.readBigUInt64LE(16))];
  // 90,000 entries, without compression.
  bytes.fill(0, offset, offset + length).set([0x90, 0xbf, 0x05], offset);
  bytes[97] = 1;
  using file = createFile(bytes);
  await expect(openArchive(file.path)).rejects.toThrow('fewer entries than it says');
});

test.each([
  ['truncated', (path: string) => truncateSync(path, 200)],
  ['overwritten', (path: string) => writeFileSync(path, archiveOf({ tiles: { '5/16/10': gzipSync('another one') } }))],
])('an archive that is %s while it is served gives a 503, and is named in the log', async (_, change) => {
  using file = createFile();
  await using tiles = await createArchiveTiles(file.path);
  change(file.path);
  for (let times = 0; times < 5; times += 1) expect(await tiles.outcome('/5/16/10')).toBe('503 tile.away');
  const facts = { source: 'berlin.pmtiles', reason: 'changed: restart the server' };
  expect(tiles.warned).toEqual([{ message: 'the map tiles fail and are not fetched for a while', facts }]);
  expect(tiles.failed).toEqual([]);
});

test('an archive that another file replaces is served until the server restarts', async () => {
  using file = createFile();
  await using tiles = await createArchiveTiles(file.path);
  writeFileSync(`${file.path}.new`, archiveOf({ tiles: {} }));
  renameSync(`${file.path}.new`, file.path);
  expect(await tiles.outcome('/5/16/10')).toBe('200');
});
