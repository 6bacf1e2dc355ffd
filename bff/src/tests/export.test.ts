import { expect, test } from 'vitest';
import type { Resource } from '../contract.ts';
import { deviceFiles } from '../import/device-file.ts';
import { fileParts } from '../service/export.routes.ts';

const device = (name: string): Resource => ({
  ...{ id: name, user_id: 'ann', name, machine_type: 'pc', created_at: '2026-01-02T03:04:05.678Z' },
});
async function file(chunks: Resource[][], format: 'csv' | 'geojson'): Promise<string> {
  const list = async function* () {
    yield* chunks;
  };
  let text = '';
  for await (const part of fileParts({ chunks: list(), file: deviceFiles[format] })) text += part;
  return text;
}

test('a file has all chunks of a list, in their order', async () => {
  const chunks = [[device('a'), device('b')], [device('c')], [device('d')]];
  const lines = (await file(chunks, 'csv')).trim().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['a', 'b', 'c', 'd']);
  const { features } = JSON.parse(await file(chunks, 'geojson')) as { features: { id: string }[] };
  expect(features.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('without devices, a file is still valid', async () => {
  expect(await file([], 'csv')).toBe('\uFEFFid,name,machine_type,description,longitude,latitude\r\n');
  expect(JSON.parse(await file([], 'geojson'))).toEqual({ type: 'FeatureCollection', features: [] });
});
