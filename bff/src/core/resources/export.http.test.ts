import { describe, expect, test } from 'vitest';
import type { Resource } from '../../contract.ts';
import { addDevices } from '../../tests/many-devices.fixture.ts';
import { textChunkSizes } from '../endpoint/list-chunks.ts';
import { signUpClient } from '../../tests/service-client.fixture.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';

/** The first chunk of a list is read by the main thread, the others by the reader thread. */
const many = textChunkSizes.first + textChunkSizes.next + 1;

describe.each(['', 'machine_type=pc&'])('a file (%s)', (filter) => {
  test('has all devices of a list once, oldest first, in each format', async () => {
    await using server = await createTestServer();
    const ann = await signUpClient(server, 'ann');
    const textOf = async (path: string) => (await ann.request({ path })).text();
    await addDevices({ db: server.db, userId: 'ann', count: many, description: 'Ölpegel' });
    const list = JSON.parse(await textOf('/resources')) as Resource[];
    expect(list).toHaveLength(many);
    const ids = list.map(({ id }) => id);
    const lines = (await textOf(`/export?${filter}format=csv`)).trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(ids);
    expect(lines.at(-1)).toContain(',Ölpegel,');
    const { features } = JSON.parse(await textOf(`/export?${filter}format=geojson`)) as { features: { id: string }[] };
    expect(features.map(({ id }) => id)).toEqual(ids);
  });

  test('is valid without devices', async () => {
    await using server = await createTestServer();
    const ann = await signUpClient(server, 'ann');
    const textOf = async (format: string) => (await ann.request({ path: `/export?${filter}format=${format}` })).text();
    expect((await textOf('csv')).replace('\uFEFF', '')).toBe(
      'id,name,machine_type,description,longitude,latitude,positioned_at,accuracy,expected_every,keep_track,keep_values,changed_at\r\n',
    );
    expect(JSON.parse(await textOf('geojson'))).toEqual({ type: 'FeatureCollection', features: [] });
    expect(await (await ann.request({ path: '/resources' })).json()).toEqual([]);
  });
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

test('without a format, each file is of the type that is asked for', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const { id } = await ann.device({ name: 'Tide gauge' });
  const swarm = await ann.swarm({ name: 'Harbour' });
  const typeOf = async (path: string, accept: string) => {
    const { headers } = await ann.request({ path, headers: { accept } });
    return `${headers.get('content-type')?.split(';')[0]}, by ${headers.get('vary')}`;
  };
  const files = {
    '/export': ['text/csv', 'application/geo+json'],
    [`/swarms/${swarm.id}/messages/export`]: ['text/csv', 'application/x-ndjson'],
    [`/resources/${id}/values`]: ['application/json', 'text/csv'],
    [`/swarms/${swarm.id}/values?resource_ids=${id}&keys=level`]: ['application/json', 'text/csv'],
  };
  for (const [path, types] of Object.entries(files)) {
    expect(await typeOf(path, '*/*')).toBe(`${types[0]}, by Accept`);
    for (const type of types) expect(await typeOf(path, `${type}, */*;q=0.1`)).toBe(`${type}, by Accept`);
  }
  expect(await typeOf('/export?format=csv', 'application/geo+json')).toBe('text/csv, by Accept');
});
