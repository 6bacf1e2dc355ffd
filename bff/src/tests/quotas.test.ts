// stores: SQLite, PostgreSQL
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account, Invitation, Resource, Swarm } from '../contract.ts';
import { importAll } from './many-devices.fixture.ts';
import { outcomeOf, signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from './test-server.fixture.ts';

// Of 100,000 resources, 1,000 swarms, 100,000 members, 10,000 invitations, 100 keys, 10,000 of devices and 50 streams.
const allowed = {
  resources: 3,
  tracks: 1,
  swarms: 1,
  members: 3,
  invitations: 1,
  keys: 1,
  device_keys: 1,
  streams: 1,
};
let server: TestServer;
let ann: TestUser;
let ben: ServiceClient;
beforeAll(async () => {
  server = await createTestServer({ quotas: 0.00003 });
  ann = await server.signUp('ann');
  ben = await signUpClient(server, 'ben');
});
afterAll(() => server[Symbol.asyncDispose]());

const request = (method: string, path: string, body?: object, headers = {}) =>
  server.request('gateway', ann, { method, path, headers, ...(body && { body }) });
const outcomes = async (answers: Promise<Response>[]) => {
  const all = await Promise.all((await Promise.all(answers)).map(outcomeOf));
  return all.toSorted();
};
const used = async () => {
  const { quotas } = (await (await request('GET', '/account')).json()) as Account;
  // Capabilities have quotas of their own.
  const ofCore = Object.entries(quotas).filter(([quota]) => quota in allowed);
  expect(Object.fromEntries(ofCore.map(([quota, each]) => [quota, each.allowed]))).toEqual(allowed);
  return Object.fromEntries(ofCore.map(([quota, each]) => [quota, each.used]));
};
const device = { name: 'Sensor', machine_type: 'bug' };

test('concurrent writes succeed up to the quota', async () => {
  const at10 = <T>(make: (index: number) => T) => Array.from({ length: 10 }, (_, index) => make(index));

  const devices = await outcomes(at10(() => request('POST', '/resources', device)));
  expect(devices).toEqual([...Array<string>(3).fill('201'), ...Array<string>(7).fill('409 resource.too_many')]);
  const [own] = (await (await request('GET', '/resources')).json()) as Resource[];

  const resources = [{ resource_id: own!.id, resource_type: 'both' }];
  const swarms = await outcomes(at10(() => request('POST', '/swarms', { name: 'Ring', description: '', resources })));
  expect(swarms).toEqual(['201', ...Array<string>(9).fill('409 swarm.too_many')]);
  const [swarm] = (await (await request('GET', '/swarms')).json()) as Swarm[];

  const theirs = await Promise.all([1, 2, 3].map(() => ben.device()));
  const invite = ({ id }: Resource) =>
    request('POST', `/swarms/${swarm!.id}/invitations`, { to: 'ben', resource_id: id, resource_type: 'consumer' });
  const sent = await outcomes(theirs.map(invite));
  expect(sent).toEqual(['201', '409 invitation.too_many', '409 invitation.too_many']);

  // The fixture has created one key.
  expect(await outcomes([request('POST', '/account/keys', { name: 'one more' })])).toEqual(['409 key.too_many']);

  const ofDevices = at10((index) => request('POST', `/devices/${own!.id}/keys`, { name: `Key ${index}` }));
  expect(await outcomes(ofDevices)).toEqual(['201', ...Array<string>(9).fill('409 key.too_many')]);
  const forMany = request('POST', '/devices/keys', { resource_ids: [own!.id] });
  expect(await outcomes([forMany])).toEqual(['409 key.too_many']);

  const full = {
    resources: 3,
    tracks: 0,
    swarms: 1,
    members: 1,
    invitations: 1,
    keys: 1,
    device_keys: 1,
    streams: 0,
  };
  expect(await used()).toEqual(full);

  // An open invitation is sent again, and an answer makes space for the next one.
  const [open] = await ben.get<Invitation[]>('/invitations');
  expect((await invite({ id: open!.resource_id } as Resource)).status).toBe(201);
  await ben.accept(open!);
  const second = theirs.find(({ id }) => id !== open!.resource_id);
  expect((await invite(second!)).status).toBe(201);
  const [, answered] = await ben.get<Invitation[]>('/invitations');
  await ben.accept(answered!);
  const third = theirs.find(({ id }) => id !== open!.resource_id && id !== second!.id);
  expect((await invite(third!)).status).toBe(201);
  const [, , last] = await ben.get<Invitation[]>('/invitations');
  expect(await outcomeOf(await ben.accept(last!))).toBe('409 membership.too_many');
  expect((await ben.get<Invitation[]>('/invitations'))[2]).toMatchObject({ status: 'new' });
  expect(await used()).toEqual({ ...full, members: 3 });

  expect((await request('DELETE', `/resources/${own!.id}`)).status).toBe(204);
  expect((await request('POST', '/resources', device)).status).toBe(201);
  expect((await ben.accept(last!)).status).toBe(200);
  expect((await request('DELETE', `/swarms/${swarm!.id}`)).status).toBe(204);
  expect((await request('POST', '/swarms', { name: 'Another', description: '' })).status).toBe(201);
});

test('a rejected write names the limit and does not use up its idempotency key', async () => {
  const headers = { 'idempotency-key': 'again' };
  const rejected = await request('POST', '/resources', device, headers);
  expect(rejected.status).toBe(409);
  expect(await rejected.json()).toMatchObject({ code: 'resource.too_many', detail: expect.stringContaining('3') });
  const [own] = (await (await request('GET', '/resources')).json()) as Resource[];
  await request('DELETE', `/resources/${own!.id}`);
  expect((await request('POST', '/resources', device, headers)).status).toBe(201);
});

test('a device is in so many swarms, however it joins, and stays in those of before', async () => {
  await using few = await createTestServer({ quotas: 0.02 });
  const [cyd, eve] = [await signUpClient(few, 'cyd'), await signUpClient(few, 'eve')];
  const tooMany = '409 membership.too_many_swarms';
  const [own, other] = [await cyd.device(), await cyd.device()];
  const swarms = await Promise.all(Array.from({ length: 6 }, () => cyd.swarm()));
  const [first, second, third] = swarms as [Swarm, Swarm, Swarm];

  const added = await outcomes(swarms.map((swarm) => cyd.add(swarm, own, 'producer')));
  expect(added).toEqual(['201', '201', ...Array<string>(4).fill(tooMany)]);
  const resources = [other, own].map(({ id }) => ({ resource_id: id, resource_type: 'both' }));
  const created = cyd.request({ method: 'POST', path: '/swarms', body: { name: 'Ring', description: '', resources } });
  expect(await outcomes([created])).toEqual([tooMany]);
  const theirs = await eve.swarm();
  const sent = await eve.invite(theirs, own);
  expect(await outcomes([cyd.accept(sent)])).toEqual([tooMany]);
  expect(await eve.get<Invitation[]>(`/swarms/${theirs.id}/invitations`)).toMatchObject([{ status: 'new' }]);

  // In a swarm where it is already, it may have the other role too.
  const [joined] = await cyd.get<Swarm[]>(`/resources/${own.id}/swarms`);
  expect(await outcomes([cyd.add(joined!, own, 'consumer')])).toEqual(['201']);
  const insert = `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT id, $1, 'producer', created_at FROM swarms WHERE user_id = 'cyd'`;
  await few.db.write([{ sql: insert, params: [other.id] }]);
  expect(await outcomes([first, second, third].map((swarm) => cyd.add(swarm, other, 'consumer')))).toEqual(
    Array<string>(3).fill('201'),
  );
  expect(
    await outcomes([cyd.remove(`/swarms/${joined!.id}/resources/${own.id}`).then(() => cyd.accept(sent))]),
  ).toEqual(['200']);
});

test('the operator’s import is limited by the quota of its user', async () => {
  await server.signUp('dee');
  const devices = Array.from({ length: 4 }, () => ({ name: 'Sensor', machine_type: 'bug' as const }));
  const failed = await importAll({ operator: server.app.operator, user: 'dee', devices });
  expect(failed).toEqual([expect.stringMatching(/: An account can have up to 3 resources/)]);
});

test('without quotas nothing is limited', async () => {
  await using free = await createTestServer({ quotas: Number.POSITIVE_INFINITY });
  const user = await free.signUp('ann');
  const account = (await (await free.request('gateway', user, { path: '/account' })).json()) as Account;
  expect(account.quotas.resources).toEqual({ used: 0, allowed: null });
  expect((await free.request('gateway', user, { method: 'POST', path: '/resources', body: device })).status).toBe(201);
});
