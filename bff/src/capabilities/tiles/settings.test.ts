import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd, temporaryDataDir } from '../../tests/process.fixture.ts';
import { readConfig } from '../../core/config/config.ts';
import { readSettings, readTileAttribution, readTileUrl } from './settings.ts';

const read = (env: Record<string, string>) =>
  readConfig({ env, clone: '/srv/clone', capabilities: { tiles: { readSettings, create: undefined } } }).ofCapabilities[
    'tiles'
  ];

test('those that cannot be read are reported with all others, without passwords', () => {
  const env = {
    PORT: '70000',
    TILE_URL: 'https://ann:hidden@tile.example.org/{z}/{x}/{y}.png',
    MAP_FILE: 'berlin.pmtiles',
    TILE_ATTRIBUTION: '<b>me</b>',
  };
  for (const name of Object.keys(env)) expect(() => read(env)).toThrow(`${name}=`);
  expect(() => read(env)).not.toThrow('hidden');
});

test('map tiles are from a server or from a file', () => {
  const MAP_FILE = '/srv/berlin.pmtiles';
  expect(read({ MAP_FILE })).toMatchObject({ mapFile: MAP_FILE });
  expect(() => read({ MAP_FILE, TILE_URL: 'https://tile.example.org/{z}/{x}/{y}.png' })).toThrow(
    'MAP_FILE: only one of it and TILE_URL can be set',
  );
});

describe('TILE_URL', () => {
  test.each([
    'https://tile.example.org/{z}/{x}/{y}.png',
    'http://127.0.0.1:8080/{z}/{x}/{y}{r}.png',
    'https://tile.example.org/map?z={z}&x={x}&y={y}&key=a.b',
  ])('%s is accepted', (text) => expect(readTileUrl(text)).toBe(text));

  test.each([
    ['no address', 'tile.example.org/{z}/{x}/{y}.png'],
    ['another scheme', 'ftp://tile.example.org/{z}/{x}/{y}.png'],
    ['a file', 'file:///srv/tiles/{z}/{x}/{y}.png'],
    ['a part is missing', 'https://tile.example.org/{z}/{x}.png'],
    ['an unknown part', 'https://tile.example.org/{z}/{x}/{y}/{style}.png'],
    ['many hosts', 'https://{s}.tile.example.org/{z}/{x}/{y}.png'],
    ['a host made of the tile', 'https://{z}.example.org/{z}/{x}/{y}.png'],
    ['a port made of the tile', 'https://example.org:{z}/{z}/{x}/{y}.png'],
    ['a password', 'https://ann:secret@tile.example.org/{z}/{x}/{y}.png'],
    ['a fragment', 'https://tile.example.org/{z}/{x}/{y}.png#now'],
    ['a blank', 'https://tile.example.org/{z}/{x}/{y} .png'],
    ['no host', 'https:///{z}/{x}/{y}.png'],
  ])('%s is refused', (_, text) => expect(readTileUrl(text)).toBeUndefined());
});

describe('TILE_ATTRIBUTION', () => {
  test.each([
    ['© Somebody', { text: '© Somebody' }],
    [
      '© OpenStreetMap contributors https://www.openstreetmap.org/copyright',
      { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
    ],
  ])('%s is parsed into text and link', (text, read) => expect(readTileAttribution(text)).toEqual(read));

  test.each(['<a href="https://x.org">X</a>', '&copy; X', 'https://x.org', 'X\nY', ' ', 'x'.repeat(201)])(
    '%j is refused',
    (text) => expect(readTileAttribution(text)).toBeUndefined(),
  );
});

test('a map file that cannot be used is named at the start', async () => {
  using folder = temporaryDataDir();
  const file = join(folder.dataDir, 'berlin.pmtiles');
  writeFileSync(file, 'no tiles');
  const { code, stderr } = await runToEnd({ script: 'main.ts', dataDir: folder.dataDir, env: { MAP_FILE: file } });
  const reason = 'is not a PMTiles archive, or its start is damaged (Wrong magic number for PMTiles archive)';
  const setting = `  MAP_FILE=${JSON.stringify(file)}: ${reason}`;
  expect(code).toBe(1);
  expect(stderr).toBe(`Swarmdeck did not start. These settings cannot be used:\n${setting}\n`);
});
