import { expect, test } from 'vitest';
import type { Resource } from '../../contract.ts';
import { fileParts } from './resource-files.ts';
import { signUpClient } from '../../tests/service-client.fixture.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';

const device = (name: string): Resource => ({
  id: name,
  user_id: 'ann',
  name,
  machine_type: 'pc',
  created_at: '2026-01-02T03:04:05.678Z',
});
async function file(chunks: Resource[][], format: 'csv' | 'geojson'): Promise<string> {
  const list = async function* () {
    yield* chunks;
  };
  let text = '';
  for await (const part of fileParts({ chunks: list(), format })) text += part;
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
  expect(await file([], 'csv')).toBe(
    '\uFEFFid,name,machine_type,description,longitude,latitude,positioned_at,accuracy,expected_every,keep_track,keep_values,changed_at\r\n',
  );
  expect(JSON.parse(await file([], 'geojson'))).toEqual({ type: 'FeatureCollection', features: [] });
});

test('an export has the filters of the device list', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const ben = await signUpClient(server, 'ben');
  const swarm = await ann.swarm({ name: 'Harbour' });
  const buoy = await ann.device({ name: 'Fairway buoy', machine_type: 'bug' });
  await ann.device({ name: 'Tide gauge', machine_type: 'pc', position: { longitude: 8, latitude: 54 } });
  await ann.device({ name: 'Écluse', machine_type: 'smartphone', position: { longitude: -3, latitude: 48 } });
  await ben.device({ name: 'Fairway buoy', machine_type: 'bug' });
  await ann.add(swarm, buoy);
  const namesOf = async (query: string) => {
    const response = await ann.request({ path: `/export?${query}` });
    expect(response.status).toBe(200);
    return (await response.text())
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]);
  };
  expect(await namesOf('q=buoy')).toEqual(['Fairway buoy']);
  expect(await namesOf('format=csv&q=ecluse')).toEqual(['Écluse']);
  expect(await namesOf('machine_type=pc,smartphone')).toEqual(['Tide gauge', 'Écluse']);
  expect(await namesOf(`swarm=${swarm.id}`)).toEqual(['Fairway buoy']);
  expect(await namesOf('swarm=none')).toEqual(['Tide gauge', 'Écluse']);
  expect(await namesOf('placed=no')).toEqual(['Fairway buoy']);
  expect(await namesOf('placed=yes&bbox=-10,40,0,50')).toEqual(['Écluse']);
  expect(await namesOf('audience=visible&q=buoy')).toEqual(['Fairway buoy']);
  const ignored = 'audience=swarm:abc&resource_type=producer&limit=x&cursor=x&sort=x';
  expect(await namesOf(`${ignored}&q=buoy`)).toEqual(['Fairway buoy']);
  expect(await namesOf('q=nothing')).toEqual([]);
  const refused = await ann.request({ path: '/export?placed=maybe&machine_type=boat' });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    code: 'query.invalid',
    errors: [{ pointer: '?machine_type' }, { pointer: '?placed' }],
  });
});
