// stores: SQLite, PostgreSQL in the long run
/** Last values in lists and maps: which they are, who sees them, filters and sorts. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device, DevicePage, MapView, Resource, Swarm, ValueKeys } from '../../contract.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let eve: ServiceClient;
let swarm: Swarm;
let devices: Resource[];
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  [ann, ben, eve] = (await Promise.all(['ann', 'ben', 'eve'].map((name) => signUpClient(server, name, 'gateway')))) as [
    ServiceClient,
    ServiceClient,
    ServiceClient,
  ];
  swarm = await ann.swarm();
  devices = [];
  for (let index = 0; index < 4; index++) {
    const position = { longitude: 8 + index / 1000, latitude: 50 };
    const device = await ann.device({ name: `d${index}`, position, ...(index < 3 && { keep_values: 'sent_at' }) });
    await ann.add(swarm, device, 'producer');
    devices.push(device);
  }
});
afterEach(() => server[Symbol.asyncDispose]());

async function say(index: number, payload: object) {
  await ann.make(`/resources/${devices[index]!.id}/messages`, { payload });
  server.wait(1000);
}
/** An index reads the numbers of a key with the first query of it. */
const keep = () => server.app.values.run();
const own = (query: string) => ann.get<DevicePage>(`/devices?audience=own&${query}`);
const names = ({ items }: DevicePage) => items.map(({ name }) => name);

test('rows have the last values that are asked for, of devices that record', async () => {
  for (let index = 0; index < 4; index++)
    await say(index, { temperature: 20 + index, door: { open: index % 2 === 0 }, 'a,b': 'x' });
  await say(1, { temperature: 'broken' });
  const at = new Date(server.now().getTime() - 5000).toISOString();
  await keep();
  const { items } = await own(`values=temperature,door.open,none,${encodeURIComponent(encodeURIComponent('a,b'))}`);
  expect(items[0]!.values).toMatchObject({
    temperature: { value: 20, at },
    'door.open': { value: true, at },
    'a,b': { value: 'x', at },
  });
  expect(items.map(({ values }) => values?.['temperature']?.value)).toEqual([20, 'broken', 22, undefined]);
  expect((await own('')).items.some((device) => 'values' in device)).toBe(false);
  const [first] = devices as [Resource];
  expect((await ann.get<Device>(`/devices/${first.id}?values=temperature`)).values).toEqual({
    temperature: { value: 20, at },
  });
  const byId = await ann.get<Device[]>(`/devices/by-id?ids=${first.id}&values=temperature`);
  expect(byId[0]!.values).toEqual({ temperature: { value: 20, at } });
  expect(await ann.get<ValueKeys>('/values/keys')).toEqual({
    keys: [
      { key: 'a,b', kind: 'state', count: 3 },
      { key: 'door.open', kind: 'state', count: 3 },
      { key: 'temperature', kind: 'number', count: 3 },
      { key: 'temperature', kind: 'state', count: 1 },
    ],
  });
});

test('filters and sorts by a value, also for an action; it ends with the switch', async () => {
  for (let index = 0; index < 3; index++) await say(index, { temperature: [30, 10, 20][index] });
  await keep();
  expect(names(await own('value=temperature&sort=value'))).toEqual(['d1', 'd2', 'd0']);
  expect(names(await own('value=temperature&sort=-value'))).toEqual(['d0', 'd2', 'd1']);
  const first = await own('value=temperature&sort=-value&limit=2');
  expect(names(first)).toEqual(['d0', 'd2']);
  expect(names(await own(`value=temperature&sort=-value&limit=2&cursor=${first.next}`))).toEqual(['d1']);
  const warm = await own('value=temperature&value_from=20&value_to=30');
  expect(names(warm)).toEqual(['d0', 'd2']);
  expect(warm).toMatchObject({ total: 2, facets: { all: 4, machine_type: { bug: 2 } } });
  expect((await own('value=temperature&value_from=20.1&value_to=29.9')).total).toBe(0);
  expect((await own('value=none')).total).toBe(0);

  const actions = actionsOf(ann);
  const filter = { list: 'devices' as const, query: 'value=temperature&value_from=30' };
  const { id } = await actions.start({ kind: 'update', about: { machine_type: 'pc' }, wait: 0, filter, expected: 1 });
  await actions.ended(id);
  expect((await ann.get<Resource>(`/resources/${devices[0]!.id}`)).machine_type).toBe('pc');
  await ann.change(`/resources/${devices[1]!.id}`, { keep_values: null });
  expect(names(await own('value=temperature&sort=value'))).not.toContain('d1');
  for (const query of ['sort=value', 'sort=-value', 'value_from=warm&value=a', 'values=a,b,c,d,e'])
    expect((await ann.request({ path: `/devices?${query}` })).status).toBe(400);
});

test('a key that is a number and a text has both', async () => {
  await say(0, { temperature: 21 });
  await say(0, { temperature: 'broken' });
  await say(1, { temperature: 'broken' });
  await say(1, { temperature: 22 });
  await keep();
  expect((await own('values=temperature')).items.map(({ values }) => values?.['temperature']?.value)).toEqual([
    'broken',
    22,
    undefined,
    undefined,
  ]);
  expect(names(await own('value=temperature&sort=value'))).toEqual(['d0', 'd1']);
  expect((await ann.get<ValueKeys>('/values/keys')).keys.map(({ kind, count }) => [kind, count])).toEqual([
    ['number', 2],
    ['state', 2],
  ]);
});

test('others see what was sent to a swarm whose messages they may read, since they may', async () => {
  await say(0, { temperature: 1 });
  const [ofBen, ofEve] = [await ben.device(), await eve.device()];
  await ben.accept(await ann.invite(swarm, ofBen, 'consumer'));
  await eve.accept(await ann.invite(swarm, ofEve, 'producer'));
  server.wait(1000);
  await say(1, { temperature: 2 });
  await keep();
  const members = async (user: ServiceClient) => {
    const { items } = await user.get<DevicePage>(`/swarms/${swarm.id}/members?values=temperature`);
    return items.flatMap(({ values }) => values?.['temperature']?.value ?? []);
  };
  expect(await members(ann)).toEqual([1, 2]);
  expect(await members(ben)).toEqual([2]);
  expect(await members(eve)).toEqual([]);
  for (const [user, found] of [
    [ann, ['d0', 'd1']],
    [ben, ['d1']],
    [eve, []],
  ] as const) {
    expect(names(await user.get<DevicePage>(`/swarms/${swarm.id}/members?value=temperature`)), user.name).toEqual(
      found,
    );
    expect(names(await user.get<DevicePage>('/devices?audience=visible&value=temperature')), user.name).toEqual(found);
    const { keys } = await user.get<ValueKeys>(`/values/keys?audience=swarm:${swarm.id}`);
    expect(keys.map(({ count }) => count)).toEqual(found.length === 0 ? [] : [found.length]);
  }
});

test('a map has them beside single devices, and what clusters have of the first key', async () => {
  for (let index = 0; index < 3; index++) await say(index, { temperature: [30, 10, 20][index], mode: 'on' });
  await keep();
  const far = await ann.get<MapView>('/map?zoom=2&values=temperature,mode');
  expect(far.features).toHaveLength(1);
  expect(far.features[0]!.properties).toMatchObject({
    point_count: 4,
    value: { count: 3, min: 10, max: 30, mean: 20 },
  });
  const near = await ann.get<MapView>('/map?zoom=20&bbox=7.999,49.999,8.004,50.001&values=temperature,mode');
  const shown = near.features.map(({ properties }) => (properties.cluster ? undefined : properties.values));
  expect(shown.filter((values) => values !== undefined)).toHaveLength(3);
  expect(shown).toContainEqual({
    temperature: expect.objectContaining({ value: 10 }) as unknown,
    mode: expect.objectContaining({ value: 'on' }) as unknown,
  });
  const plain = await ann.get<MapView>('/map?zoom=2');
  expect(plain.features[0]!.properties).not.toHaveProperty('value');
  expect((await ann.get<MapView>('/map?zoom=2&value=temperature&value_from=20')).total).toBe(2);
});

test('a device that moves keeps its number, and one that leaves a swarm loses it', async () => {
  const ofBen = await ben.device();
  await ben.accept(await ann.invite(swarm, ofBen, 'consumer'));
  const other = await ann.swarm();
  await ann.add(other, devices[0]!, 'producer');
  await ben.accept(await ann.invite(other, ofBen, 'producer'));
  server.wait(1000);
  for (let index = 0; index < 3; index++)
    await ann.make(`/resources/${devices[index]!.id}/messages`, {
      payload: { temperature: index },
      swarm_id: swarm.id,
    });
  await keep();
  const visible = async () => names(await ben.get<DevicePage>('/devices?audience=visible&value=temperature'));
  expect(names(await own('value=temperature'))).toEqual(['d0', 'd1', 'd2']);
  expect(await visible()).toEqual(['d0', 'd1', 'd2']);
  for (let index = 0; index < 3; index++)
    await ann.change(`/resources/${devices[index]!.id}`, { position: { longitude: 9, latitude: 51 + index } });
  expect(names(await own('value=temperature'))).toEqual(['d0', 'd1', 'd2']);
  expect((await ann.get<MapView>('/map?zoom=2&values=temperature')).features).not.toEqual([]);
  await ann.remove(`/swarms/${swarm.id}/resources/${devices[0]!.id}`);
  expect(await visible()).toEqual(['d1', 'd2']);
});

test('who may not read messages any more finds no device by its values, and who may read them does at once', async () => {
  const [consumer, producer] = [await ben.device(), await ben.device()];
  await ben.accept(await ann.invite(swarm, consumer, 'consumer'));
  await ben.accept(await ann.invite(swarm, producer, 'producer'));
  server.wait(1000);
  await say(0, { temperature: 1 });
  await keep();
  const visible = async () => names(await ben.get<DevicePage>('/devices?audience=visible&value=temperature'));
  expect(await visible()).toEqual(['d0']);
  await ben.remove(`/swarms/${swarm.id}/resources/${consumer.id}`);
  expect(await visible()).toEqual([]);
  await ann.nameManager(swarm, 'ben');
  await ben.agree(swarm, 'ben');
  server.wait(1000);
  await say(1, { temperature: 2 });
  await keep();
  expect(await visible()).toEqual(['d1']);
});

test('more keys at the same time than are in memory', async () => {
  for (let index = 0; index < 3; index++)
    await say(index, Object.fromEntries(Array.from({ length: 8 }, (_, key) => [`k${key}`, index])));
  await keep();
  const pages = await Promise.all(Array.from({ length: 8 }, (_, key) => own(`value=k${key}&value_from=1`)));
  expect(pages.map(names)).toEqual(Array(8).fill(['d1', 'd2']));
});
