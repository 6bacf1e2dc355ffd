// stores: SQLite, PostgreSQL in the long run
/** The directory of public swarms: what it reveals, how it is sorted and searched, and what an owner's end does to it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DirectoryPage, DirectorySort, Swarm, SwarmItem } from '../../contract.ts';
import { outcomeOf, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let eve: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben, eve] = [
    await signUpClient(server, 'ann'),
    await signUpClient(server, 'ben'),
    await signUpClient(server, 'eve', 'gateway'),
  ];
});
afterAll(() => server[Symbol.asyncDispose]());

const settings = (client: ServiceClient, { id }: Swarm, body: object) => client.change<Swarm>(`/swarms/${id}`, body);
const list = async (client: ServiceClient, name: string, more: object = {}) =>
  settings(client, await client.swarm({ name, ...more }), { public: true, listed: true });
const find = async (q: string, sort: DirectorySort = 'name') =>
  (await eve.get<DirectoryPage>(`/directory?sort=${sort}&q=${encodeURIComponent(q)}`)).items;
const names = async (...query: Parameters<typeof find>) => (await find(...query)).map(({ name }) => name);

test('a swarm is found by words of its name, its description and its owner, also after they were changed', async () => {
  const swarm = await list(ann, 'Hafenwetter Süd', { description: 'Wind on every quay' });
  for (const q of ['hafen', 'SUD wind', 'quay ann', '']) expect(await names(q), q).toContain('Hafenwetter Süd');
  for (const q of ['sudwind', 'hafen ben', swarm.id]) expect(await names(q), q).not.toContain('Hafenwetter Süd');
  await settings(ann, swarm, { name: 'Tides', description: 'Gauges' });
  expect([await names('hafen'), await names('quay'), await names('tides gauges ann')]).toEqual([[], [], ['Tides']]);
});

test('it shows the number of members and when one last joined, and nothing else of them', async () => {
  const swarm = await list(ann, 'Counted');
  const device = await ben.device({ name: 'Secret buoy', position: { longitude: 1, latitude: 2 } });
  const [before] = await find('counted');
  server.wait(1000);
  await ben.accept(await ann.invite(swarm, device));
  const [after] = await find('counted');
  expect(after).toEqual({ ...before, member_count: 1, active_at: expect.any(String) });
  expect(after!.active_at > before!.active_at).toBe(true);
  // A move is no activity: a device that moves ten times a second would be written each time.
  server.wait(1000);
  await ben.change(`/resources/${device.id}`, { position: { longitude: 3, latitude: 4 } });
  expect(await find('counted')).toEqual([after]);
  expect(await eve.get<SwarmItem>(`/swarms/${swarm.id}/overview`)).toMatchObject({
    relation: 'guest',
    members: null,
    member_count: 1,
    listed: true,
    active_at: after!.active_at,
  });
  await ben.leave(swarm, device);
  expect(await find('counted')).toEqual([{ ...after, member_count: 0 }]);
});

test('the orders: by name, by the number of members, by activity', async () => {
  const [few, many] = [await list(ann, 'Order 10'), await list(ann, 'Order 2')];
  for (const _each of [1, 2]) await ann.add(many, await ann.device());
  server.wait(1000);
  await ann.add(few, await ann.device());
  expect(await names('order')).toEqual(['Order 2', 'Order 10']);
  expect(await names('order', '-members')).toEqual(['Order 2', 'Order 10']);
  expect(await names('order', '-active')).toEqual(['Order 10', 'Order 2']);
  server.wait(1000);
  await settings(ann, many, { description: 'now' });
  expect(await names('order', '-active')).toEqual(['Order 2', 'Order 10']);
});

test('pages have each swarm once in every order, also if many are equal', async () => {
  const made = await Promise.all(Array.from({ length: 7 }, () => list(ann, 'Equal')));
  for (const sort of ['name', '-members', '-active'] as const) {
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await eve.get<DirectoryPage>(`/directory?q=equal&limit=2&sort=${sort}${cursor}`);
      expect(page.total).toBe(cursor === '' ? 7 : undefined);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next === null ? '' : `&cursor=${page.next}`;
    } while (cursor !== '');
    expect(found.toSorted(), sort).toEqual(made.map(({ id }) => id).toSorted());
  }
});

test('private, deleted, and those of a user who is disabled or deleted are not listed', async () => {
  const made = await Promise.all(['Gone 1', 'Gone 2', 'Gone 3'].map((name) => list(ann, name)));
  await list(await signUpClient(server, 'gus'), 'Gone 4');
  await list(await signUpClient(server, 'hal'), 'Gone 5');
  expect(await names('gone')).toEqual(['Gone 1', 'Gone 2', 'Gone 3', 'Gone 4', 'Gone 5']);
  await settings(ann, made[0]!, { public: false });
  await settings(ann, made[1]!, { listed: false });
  await ann.destroy('swarms', made[2]!);
  expect(await outcomeOf(await eve.request({ path: `/swarms/${made[0]!.id}` }))).toBe('404 swarm.not_found');
  expect(await outcomeOf(await eve.request({ path: `/swarms/${made[1]!.id}` }))).toBe('200');
  const { operator } = server.app;
  await operator.disableUser({ name: 'gus' });
  await operator.deleteUser({ name: 'hal' });
  expect(await names('gone')).toEqual([]);
  expect((await eve.get<DirectoryPage>('/directory?q=gone')).total).toBe(0);
  await operator.enableUser({ name: 'gus' });
  expect(await names('gone')).toEqual(['Gone 4']);
});

test('a swarm that is handed over is found by its new owner', async () => {
  const swarm = await list(ann, 'Handed');
  await ann.nameManager(swarm, 'ben');
  await ben.agree(swarm, 'ben');
  await ann.offerSwarm(swarm, 'ben');
  expect((await ben.takeOver(swarm, 'ben')).status).toBe(204);
  expect(await find('handed')).toMatchObject([{ user_id: 'ben' }]);
  expect([await names('handed ann'), await names('handed ben')]).toEqual([[], ['Handed']]);
});

test('of many changes at once, none leaves a private swarm or an old name in the directory', async () => {
  const swarm = await list(ann, 'Race 0');
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      settings(ann, swarm, n % 3 === 0 ? { public: n % 2 === 0, listed: false } : { name: `Race ${n}` }),
    ),
  );
  const { name } = await settings(ann, swarm, { public: true, listed: true });
  expect(await names('race')).toEqual([name]);
  const ended = await Promise.all([
    settings(ann, swarm, { public: false }),
    ...['a', 'b', 'c'].map((text) => settings(ann, swarm, { description: text })),
  ]);
  expect(ended).toHaveLength(4);
  expect(await names('race')).toEqual([]);
});
