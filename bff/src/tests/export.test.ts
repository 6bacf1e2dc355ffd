import { expect, test } from 'vitest';
import { deviceFiles } from '../import/device-file.ts';
import { fileParts } from '../service/export.routes.ts';

const device = (name: string) => JSON.stringify({ id: name, name, machine_type: 'pc' });
async function* listOf(chunks: string[]) {
  yield '[';
  yield* chunks;
  yield ']';
}
async function file(chunks: string[], format: 'csv' | 'geojson'): Promise<string> {
  let text = '';
  for await (const part of fileParts({ list: listOf(chunks), file: deviceFiles[format] })) text += part;
  return text;
}

test('a file has all chunks of a list, in their order', async () => {
  const chunks = [`${device('a')},${device('b')}`, `,${device('c')}`, `,${device('d')}`];
  const lines = (await file(chunks, 'csv')).trim().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['a', 'b', 'c', 'd']);
  const { features } = JSON.parse(await file(chunks, 'geojson')) as { features: { id: string }[] };
  expect(features.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('without devices, a file is still valid', async () => {
  expect(await file([], 'csv')).toBe('\uFEFFid,name,machine_type,description,longitude,latitude\r\n');
  expect(JSON.parse(await file([], 'geojson'))).toEqual({ type: 'FeatureCollection', features: [] });
});
