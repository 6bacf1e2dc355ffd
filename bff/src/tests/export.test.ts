import { expect, test } from 'vitest';
import { deviceFiles } from '../import/device-file.ts';
import { fileParts } from '../service/export.routes.ts';

const device = (name: string) => JSON.stringify({ id: name, name, machine_type: 'pc' });
const file = (chunks: string[], format: 'csv' | 'geojson') =>
  [...fileParts({ list: ['[', ...chunks, ']'].values(), file: deviceFiles[format] })].join('');

test('a file has all chunks of a list, in their order', () => {
  const chunks = [`${device('a')},${device('b')}`, `,${device('c')}`, `,${device('d')}`];
  const lines = file(chunks, 'csv').trim().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['a', 'b', 'c', 'd']);
  const { features } = JSON.parse(file(chunks, 'geojson')) as { features: { id: string }[] };
  expect(features.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('without devices, a file is still valid', () => {
  expect(file([], 'csv')).toBe('\uFEFFid,name,machine_type,description,longitude,latitude\r\n');
  expect(JSON.parse(file([], 'geojson'))).toEqual({ type: 'FeatureCollection', features: [] });
});
