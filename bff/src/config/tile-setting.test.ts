import { describe, expect, test } from 'vitest';
import { readTileAttribution, readTileUrl } from './config.ts';

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
