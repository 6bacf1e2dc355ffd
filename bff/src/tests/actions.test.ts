import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionResults, Resource } from '../contract.ts';
import { actionsOf } from './actions.fixture.ts';
import type { Start } from './actions.fixture.ts';
import { outcomeOf, signUpClient } from './service-client.fixture.ts';
import type { ServiceClient } from './service-client.fixture.ts';
import { createTestServer } from './test-server.fixture.ts';
import type { TestServer } from './test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let ofAnn: ReturnType<typeof actionsOf>;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben] = await Promise.all([signUpClient(server, 'ann', 'gateway'), signUpClient(server, 'ben', 'gateway')]);
  ofAnn = actionsOf(ann);
});
afterAll(() => server[Symbol.asyncDispose]());

const devices = (count: number, client = ann) =>
  Promise.all(Array.from({ length: count }, (_, index) => client.device({ name: `Sensor ${index}` })));
const toPc = (found: readonly Resource[], wait = 0): Start => ({
  kind: 'update',
  about: { machine_type: 'pc' },
  wait,
  items: found.map(({ id, name }) => ({ id, name })),
});
const typeOf = async ({ id }: Resource) => (await ann.get<Resource>(`/resources/${id}`)).machine_type;

test('an action changes its records, and its failures stay until they are dismissed', async () => {
  const own = await devices(3);
  const [foreign] = await devices(1, ben);
  const { id } = await ofAnn.start(toPc([own[0]!, foreign!, own[1]!, own[2]!]));
  const ended = await ofAnn.ended(id);
  expect(ended).toMatchObject({ total: 4, done: 4, failed: 1, can_undo: true, is_waiting: false });
  expect(await Promise.all(own.map(typeOf))).toEqual(['pc', 'pc', 'pc']);
  expect((await ofAnn.list())[0]).toMatchObject({
    id,
    items: [{ name: 'Sensor 0' }, { id: foreign!.id }, {}, {}],
    results: [null, { code: 'resource.not_found' }, null, null],
  });
  const failed = await ann.get<ActionResults>(`/actions/${id}/results?failed=true`);
  expect(failed.results).toEqual([
    { item: { id: foreign!.id, name: 'Sensor 0' }, result: expect.objectContaining({ code: 'resource.not_found' }) },
  ]);
  const csv = await (await ann.request({ path: `/actions/${id}/results?failed=true&format=csv` })).text();
  expect(csv.split('\r\n')[1]).toMatch(`,Sensor 0,${foreign!.id},resource.not_found,`);
  await ofAnn.act(id, 'dismiss');
  expect(await ofAnn.list()).toEqual([]);
  expect(await ofAnn.find(id)).toMatchObject({ id, failed: 1 });
});

test('an action that waits can be undone, also in part, and a late undo is refused', async () => {
  const own = await devices(4);
  const whole = await ofAnn.start(toPc(own, 60));
  expect(whole.state).toBe('pending');
  expect((await ofAnn.post(`/${whole.id}/undo`)).status).toBe(204);
  expect(await ofAnn.find(whole.id)).toBeUndefined();

  const { id } = await ofAnn.start(toPc(own, 60));
  expect(await ofAnn.act(id, 'undo', { items: [own[1]!.id, own[2]!.id] })).toMatchObject({
    total: 2,
    items: [{}, { id: own[3]!.id }],
  });
  expect((await ofAnn.act(id, 'wait', { seconds: 30 })).state).toBe('pending');
  await ofAnn.act(id, 'wait', { seconds: 0 });
  await ofAnn.ended(id);
  expect(await Promise.all(own.map(typeOf))).toEqual(['pc', 'bug', 'bug', 'pc']);
  expect(await ofAnn.refused(id, 'wait', { seconds: 1 })).toBe('409 action.state');
  expect(await ofAnn.refused(id, 'stop')).toBe('409 action.state');
});

test('the inverse action changes back what is as the action left it', async () => {
  const own = await devices(3);
  const { id } = await ofAnn.start(toPc(own));
  await ofAnn.ended(id);
  await ann.change(`/resources/${own[1]!.id}`, { machine_type: 'smartphone' });
  const undo = await ofAnn.act(id, 'undo', { id: randomUUID() });
  expect(undo).toMatchObject({ kind: 'undo', about: { action: id, kind: 'update', of: { machine_type: 'pc' } } });
  expect(await ofAnn.ended(undo.id)).toMatchObject({ total: 3, done: 3, failed: 1 });
  expect(await Promise.all(own.map(typeOf))).toEqual(['bug', 'smartphone', 'bug']);
  expect(await ofAnn.find(id)).toMatchObject({ undone_by: undo.id, can_undo: false });
  expect(await ofAnn.refused(id, 'undo')).toBe('409 action.state');
});

test('more than 500 items are uploaded in parts, which may be sent again', async () => {
  const own = await devices(1203);
  const items = toPc(own) as Extract<Start, { items: unknown }>;
  const parts = [items.items.slice(0, 500), items.items.slice(500, 1000), items.items.slice(1000)];
  const { id, state } = await ofAnn.start({ kind: 'update', about: { machine_type: 'pc' }, wait: 0, total: 1203 });
  expect(state).toBe('uploading');
  const put = (part: number, sent: object) =>
    ann.request({ method: 'PUT', path: `/actions/${id}/parts/${part}`, body: { items: sent } });
  expect((await put(2, parts[2]!)).status).toBe(204);
  expect((await put(2, parts[2]!)).status).toBe(204);
  expect(await outcomeOf(await put(0, parts[2]!))).toBe('400 body.invalid');
  expect(await outcomeOf(await put(3, parts[2]!))).toBe('404 action.not_found');
  const early = await ofAnn.post(`/${id}/start`);
  expect(await early.json()).toMatchObject({
    code: 'action.parts_missing',
    errors: [{ pointer: '/parts/0' }, { pointer: '/parts/1' }],
  });
  await Promise.all([put(0, parts[0]!), put(1, parts[1]!), put(1, parts[1]!)]);
  await ofAnn.act(id, 'start');
  expect(await outcomeOf(await put(1, parts[1]!))).toBe('409 action.state');
  expect(await ofAnn.ended(id)).toMatchObject({ total: 1203, done: 1203, failed: 0 });
  expect(new Set(await Promise.all(own.map(typeOf)))).toEqual(new Set(['pc']));
});

test('the same start is executed once, and another user does not see it', async () => {
  const own = await devices(1);
  const start = { ...toPc(own, 60), id: randomUUID() };
  const [one, other] = await Promise.all([ofAnn.start(start), ofAnn.start(start)]);
  expect(other).toEqual(one);
  expect(await actionsOf(ben).list()).toEqual([]);
  expect(await actionsOf(ben).refused(one.id, 'undo')).toBe('404 action.not_found');
  expect(await outcomeOf(await actionsOf(ben).send(start))).toBe('404 action.not_found');
  await ofAnn.post(`/${one.id}/undo`);
});
