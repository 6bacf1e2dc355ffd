// stores: SQLite, PostgreSQL
/** Several requests, or several processes, that change one action at the same time. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '../../app.ts';
import type { Action, ActionFilter, Resource } from '../../contract.ts';
import { StorageError } from '../../core/store/statement.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, type TestServer } from '../../tests/test-server.fixture.ts';

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
const toPc = (found: readonly Resource[], wait = 0) => ({
  kind: 'update' as const,
  about: { machine_type: 'pc' as const },
  wait,
  items: found.map(({ id, name }) => ({ id, name })),
});

test('several requests may remove different items of an action at once', async () => {
  const own = await devices(6);
  const { id } = await ofAnn.start(toPc(own, 60));
  const removals = own.slice(0, 5).map((device) => ofAnn.act(id, 'undo', { items: [device.id] }));
  await Promise.all(removals);
  expect((await ofAnn.list())[0]).toMatchObject({ total: 1, items: [{ id: own[5]!.id }] });
  expect((await ofAnn.post(`/${id}/undo`, { items: [own[5]!.id] })).status).toBe(204);
});

test('a start on a filter, and an undo, that are sent again while the first is being filled are one action', async () => {
  const own = await devices(20, ben);
  const actions = actionsOf(ben);
  const filter: ActionFilter = { list: 'devices', query: 'machine_type=bug' };
  const { total } = await ben.get<{ total: number }>('/devices?machine_type=bug&limit=1');
  const { items: _items, ...update } = toPc([]);
  const start = { id: randomUUID(), ...update, filter, expected: total };
  const started = await Promise.all([1, 2, 3].map(() => actions.start(start)));
  expect(new Set(started.map((action) => `${action.id} ${action.total}`)).size).toBe(1);
  await actions.ended(start.id);
  const undo = { id: randomUUID() };
  const undone = await Promise.all([1, 2, 3].map(() => actions.act(start.id, 'undo', undo)));
  expect(new Set(undone.map((action) => `${action.id} ${action.total}`)).size).toBe(1);
  expect(await actions.ended(undo.id)).toMatchObject({ total, failed: 0 });
  expect((await ben.get<Resource>(`/resources/${own[0]!.id}`)).machine_type).toBe('bug');
});

test('another process takes over an action that is being filled, only after a minute if there can be several', async () => {
  await using small = await createTestServer();
  const cleo = await small.signUp('cleo');
  const client = createServiceClient('cleo', (asked) => small.request('gateway', cleo, asked));
  await devices(20, client);
  const other = await small.startAnother(small.db);
  const headers = { cookie: cleo.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const id = randomUUID();
  const filter: ActionFilter = { list: 'devices', query: '' };
  const start = { id, kind: 'update', about: { machine_type: 'pc' }, wait: 60, filter, expected: 20 } as const;
  const sendToOther = async () => {
    const request = new Request(`${origin}/api/actions`, { method: 'POST', headers, body: JSON.stringify(start) });
    return (await (await other.fetch(request)).json()) as Action;
  };
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { write } = small.db;
  const held = vi.spyOn(small.db, 'write').mockImplementation(async (statements) => {
    if (!statements.some(({ sql }) => sql.includes('INSERT INTO action_parts'))) return write(statements);
    held.mockRestore();
    reached.resolve();
    await released.promise;
    throw new StorageError('unexpected', 'a mistake');
  });
  const first = actionsOf(client).send(start);
  await reached.promise;
  // SQLite has one process: the first one has ended.
  expect(await sendToOther()).toMatchObject({ id, state: isOnPostgres ? 'uploading' : 'pending' });
  small.wait(61_000);
  expect(await sendToOther()).toMatchObject({ id, state: 'pending' });
  released.resolve();
  expect((await first).status).toBe(500);
  // The first process does not delete what is not its own any more.
  expect(await actionsOf(client).find(id)).toMatchObject({ state: 'pending', total: 20 });
  await other.close();
});

test('failed items are tried again once, however many requests ask for it, of whichever process', async () => {
  await using small = await createTestServer();
  const ida = await small.signUp('ida');
  const client = createServiceClient('ida', (asked) => small.request('gateway', ida, asked));
  const actions = actionsOf(client);
  const other = await small.startAnother(small.db);
  const [foreign] = await devices(1, await signUpClient(small, 'joe', 'gateway'));
  const { id } = await actions.start(toPc([foreign!, ...(await devices(1, client))]));
  await actions.ended(id);
  const headers = { cookie: ida.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  async function retry(app: App): Promise<Action> {
    const body = JSON.stringify({ id: randomUUID() });
    const url = `${origin}/api/actions/${id}/retry`;
    const answer = await app.fetch(new Request(url, { method: 'POST', headers, body }));
    expect(answer.status).toBe(201);
    return (await answer.json()) as Action;
  }
  const written = vi.spyOn(small.db, 'write');
  const first = await Promise.all([small.app, other, small.app, other].map(retry));
  // One of each process, at most.
  const creates = ([statements]: Parameters<typeof small.db.write>) =>
    statements.some(({ sql }) => sql.startsWith('INSERT INTO actions'));
  expect(written.mock.calls.filter(creates).length).toBeLessThanOrEqual(2);
  const [{ id: again }] = first as [Action];
  expect(first.map((action) => action.id)).toEqual(Array(4).fill(again));
  await actions.ended(again);
  expect(await retry(small.app)).toMatchObject({ id: again, state: 'ended', total: 1, failed: 1 });
  expect((await actions.history()).map((action) => action.id)).toEqual([again, id]);
  expect((await actions.list()).map((action) => action.id)).toEqual([again]);
  expect(await actions.find(id)).toMatchObject({ retried_by: again });
  expect(await actions.find(again)).not.toHaveProperty('retried_by');
  // The new action has failed too. Its failed items may be tried again.
  const third = await actions.act(again, 'retry');
  expect(third.id).not.toBe(again);
  await actions.ended(third.id);
  await small.db.write([{ sql: 'DELETE FROM actions WHERE id = $1', params: [again] }]);
  expect(await actions.refused(id, 'retry', { id: randomUUID() })).toBe('409 action.state');
  await other.close();
});
