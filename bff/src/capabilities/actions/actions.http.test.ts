// stores: SQLite, PostgreSQL in the long run
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '../../app.ts';
import type { ActionFilter, ActionList, ActionResults, GatewayEvent, Problem, Resource } from '../../contract.ts';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { createActionEvents } from './action-events.ts';
import { actionOf, type ActionRow } from './action-row.ts';
import { listActions } from './actions.store.ts';
import { readDueActions, readNextDue } from './due-actions.store.ts';
import { chunkSize, findChunks } from './chunks.store.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { withItems } from './shown-actions.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import { type Query, type Statement, type WriteResult, StorageError } from '../../core/store/statement.ts';
import { actionsOf, type Start } from '../../tests/actions.fixture.ts';
import {
  createServiceClient,
  outcomeOf,
  signUpClient,
  type ServiceClient,
} from '../../tests/service-client.fixture.ts';
import {
  createTestServer,
  eventRecorder,
  origin,
  password,
  type TestServer,
  type TestUser,
} from '../../tests/test-server.fixture.ts';

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
  items: found.map(named),
});
const named = ({ id, name }: Resource) => ({ id, name });
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

test('an action without a wait is never shown as one that can still be undone', async () => {
  const { state, can_undo } = await ofAnn.start(toPc(await devices(1), 0));
  expect([state, can_undo]).toEqual(['running', false]);
});

test('an action that has not begun can be paused and stopped, and is executed at once when it is resumed', async () => {
  const own = await devices(2);
  const { id } = await ofAnn.start(toPc([own[0]!], 60));
  expect((await ofAnn.act(id, 'pause')).state).toBe('paused');
  expect(await ofAnn.refused(id, 'undo')).toBe('409 action.state');
  await ofAnn.act(id, 'resume');
  expect(await ofAnn.ended(id)).toMatchObject({ done: 1, failed: 0 });
  const stopped = await ofAnn.start(toPc([own[1]!], 60));
  await ofAnn.act(stopped.id, 'stop');
  expect(await ofAnn.find(stopped.id)).toMatchObject({ state: 'ended', done: 0 });
  expect(await Promise.all(own.map(typeOf))).toEqual(['pc', 'bug']);
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
  // whether the runner has taken it by now or not
  expect(await ofAnn.refused(id, 'wait', { seconds: 30 })).toBe('409 action.state');
  await ofAnn.ended(id);
  expect(await Promise.all(own.map(typeOf))).toEqual(['pc', 'bug', 'bug', 'pc']);
  expect(await ofAnn.refused(id, 'stop')).toBe('409 action.state');
});

test('an undo of no items is refused, also of an action with full chunks', async () => {
  const items = Array.from({ length: 100 }, (_, index) => ({ id: `id-${index}`, name: 'Sensor' }));
  const { id } = await ofAnn.start({ kind: 'delete', about: {}, wait: 60, items });
  expect(await ofAnn.refused(id, 'undo', { items: [] })).toBe('400 body.invalid');
  expect((await ofAnn.post(`/${id}/undo`)).status).toBe(204);
});

test('removing items of a long action writes only the chunks that change', async () => {
  const client = await signUpClient(server, 'hana', 'gateway');
  const items = Array.from({ length: 1001 }, (_, index) => ({ id: `id-${index}`, name: 'Sensor' }));
  const { id } = await actionsOf(client).upload({ kind: 'delete', about: {}, wait: 60 }, items);
  const stored = async () => {
    const sql = 'SELECT items FROM action_parts WHERE action_id = $1 ORDER BY part';
    return (await server.db.read<{ items: string }>({ sql, params: [id] })).map(({ items }) => items);
  };
  const before = await stored();
  const removed = ['id-250', 'id-999', 'id-7', 'unknown'];
  expect(await actionsOf(client).act(id, 'undo', { items: removed })).toMatchObject({ total: 998 });
  const after = await stored();
  const changed = after.flatMap((text, part) => (text === before[part] ? [] : [part]));
  expect([before.length, after.length, changed]).toEqual([11, 10, [0, 2, 9]]);
  const left = after.map((text) => JSON.parse(text) as { id: string }[]);
  expect(left.map(({ length }) => length)).toEqual([...Array.from({ length: 9 }, () => 100), 98]);
  const ids = items.map((item) => item.id).filter((each) => !removed.includes(each));
  expect(
    left
      .flat()
      .map((item) => item.id)
      .toSorted(),
  ).toEqual(ids.toSorted());
  const sql = 'SELECT bytes FROM actions WHERE id = $1';
  expect(await server.db.read({ sql, params: [id] })).toEqual([{ bytes: Buffer.byteLength(after.join('')) + 2 }]);
  // The other chunks are searched in slices, until all ids are found.
  let reads = 0;
  const read = <R>(query: Query) => {
    reads += 1;
    return server.db.read<R>(query);
  };
  const found = async (wanted: string) => {
    reads = 0;
    const chunks = await findChunks({ read }, { action: id, ids: [wanted], first: 9 });
    return chunks.map(({ number }) => number);
  };
  expect([await found(left[9]![0]!.id), reads]).toEqual([[9], 1]);
  expect([await found(left[8]![0]!.id), reads]).toEqual([[9, 8], 2]);
  expect(await found('unknown')).toEqual([9]);
  expect(reads).toBeGreaterThan(2);
  await actionsOf(client).act(id, 'stop');
});

test('a stopped action loses the items that were not executed', async () => {
  const client = await signUpClient(server, 'ines', 'gateway');
  const items = Array.from({ length: 3500 }, (_, index) => ({ id: `id-${index}`, name: 'Sensor' }));
  const { id } = await actionsOf(client).upload({ kind: 'delete', about: {}, wait: 60 }, items);
  expect(await actionsOf(client).act(id, 'stop')).toMatchObject({ state: 'ended', total: 3500, done: 0 });
  const sql = `SELECT count(*) AS parts, sum(octet_length(items)) + 2 - min(bytes) AS more
    FROM actions, action_parts WHERE action_id = id AND id = $1`;
  // What a batch may have begun, and the next one has read.
  await vi.waitFor(async () => {
    const [row] = await server.db.read<{ parts: number; more: number }>({ sql, params: [id] });
    expect(Object.values(row!).map(Number)).toEqual([10, 0]);
  });
});

test('ended actions count: the oldest are deleted before more is stored', async () => {
  const client = await signUpClient(server, 'jana', 'gateway');
  const actions = actionsOf(client);
  const ended: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { id } = await actions.start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'Sensor' }] });
    await actions.act(id, 'stop');
    await server.db.write([{ sql: 'UPDATE actions SET bytes = 90000000 WHERE id = $1', params: [id] }]);
    ended.push(id);
  }
  await actions.start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'Sensor' }] });
  const left = (await actions.history()).map(({ id }) => id);
  expect(left).toEqual([ended[2], ended[1]]);
  // Such as one of many deleted devices with long descriptions. It stays, and more is stored.
  await server.db.write([{ sql: 'UPDATE actions SET bytes = 250000000 WHERE id = $1', params: [ended[2]!] }]);
  await actions.start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'Sensor' }] });
  expect((await actions.history()).map(({ id }) => id)).toEqual([ended[2]]);
});

test('many ended actions are deleted with few commits, and without a reset for clients that resume', async () => {
  await using small = await createTestServer();
  const other = await small.signUp('ben');
  const client = await signUpClient(small, 'ann', 'gateway');
  const time = small.now().toISOString();
  const ids = [JSON.stringify(Array.from({ length: 5001 }, () => randomUUID()))];
  await small.db.write([
    {
      sql: `INSERT INTO actions (id, user_id, kind, about, state, total, wait, created_at, ended_at, is_dismissed)
        SELECT value, 'ann', 'delete', '{}', 'ended', 1, 0, $2, $2, 1 FROM elements($1)`,
      params: [...ids, time],
    },
    { sql: `INSERT INTO action_parts (action_id, part, items) SELECT value, 0, '[]' FROM elements($1)`, params: ids },
  ]);
  const write = vi.spyOn(small.db, 'write');
  const before = await small.newestEvent();
  await actionsOf(client).start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'Sensor' }] });
  expect(write.mock.calls.length).toBeLessThan(200);
  expect(await small.resume([other], before)).toEqual([[]]);
  const sql = `SELECT count(*) AS count FROM actions JOIN action_parts ON action_id = id WHERE ended_at IS NOT NULL`;
  expect(await small.db.read({ sql })).toEqual([{ count: 4000 }]);
});

test('many short actions of some users do not keep a long one of another user waiting', async () => {
  await using small = await createTestServer();
  const [long, ...others] = await Promise.all(
    ['ann', 'ben', 'cem', 'dan'].map(async (name) => signUpClient(small, name, 'gateway')),
  );
  const insert = `INSERT INTO actions (id, user_id, kind, about, state, total, wait, runs_at, created_at)
    VALUES ($1, $2, 'delete', '{}', 'pending', 1, 0, $3, $3)`;
  const part = `INSERT INTO action_parts (action_id, part, items) VALUES ($1, 0, '[{"id":"a","name":"b"}]')`;
  const time = small.now().toISOString();
  for (const { name } of others) {
    const ids = Array.from({ length: 400 }, () => randomUUID());
    await small.db.write(
      ids.flatMap((id) => [
        { sql: insert, params: [id, name, time] },
        { sql: part, params: [id] },
      ]),
    );
  }
  const read = vi.spyOn(small.db, 'read');
  const items = Array.from({ length: 200 }, (_, index) => ({ id: `id-${index}`, name: 'Sensor' }));
  const started = await actionsOf(long!).start({ kind: 'delete', about: {}, wait: 0, items });
  await actionsOf(long!).ended(started.id);
  const [waiting] = await small.db.read<{ count: number }>({
    sql: `SELECT count(*) AS count FROM actions WHERE state = 'pending'`,
  });
  expect(waiting!.count).toBeGreaterThan(0);
  const rows = await Promise.all(read.mock.results.map(async ({ value }) => ((await value) as object[]).length));
  const due = rows.filter((_, index) => read.mock.calls[index]![0].sql.startsWith('WITH RECURSIVE users'));
  expect(Math.max(...due)).toBeLessThanOrEqual(2 * 4);
});

test('the inverse action changes back what is as the action left it', async () => {
  const own = await devices(3);
  const { id } = await ofAnn.start(toPc(own));
  await ofAnn.ended(id);
  await ann.change(`/resources/${own[1]!.id}`, { machine_type: 'smartphone' });
  // Undo of a row that comes after the end of the action does not undo the others.
  expect(await ofAnn.refused(id, 'undo', { items: [own[0]!.id] })).toBe('409 action.state');
  const undo = await ofAnn.act(id, 'undo', { id: randomUUID() });
  expect(undo).toMatchObject({ kind: 'undo', about: { action: id, kind: 'update', of: { machine_type: 'pc' } } });
  expect(await ofAnn.ended(undo.id)).toMatchObject({ total: 3, done: 3, failed: 1 });
  expect(await Promise.all(own.map(typeOf))).toEqual(['bug', 'smartphone', 'bug']);
  expect(await ofAnn.find(id)).toMatchObject({ undone_by: undo.id, can_undo: false });
  expect(await ofAnn.refused(id, 'undo')).toBe('409 action.state');
});

test('an undo is not refused because of its size, only because of what other actions have stored', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'ann', 'gateway');
  const actions = actionsOf(client);
  const own = await devices(2, client);
  const { id } = await actions.start({ kind: 'delete', about: {}, wait: 0, items: own.map(named) });
  await actions.ended(id);
  const other = await actions.start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'b' }] });
  const fill = (bytes: number) =>
    small.db.write([{ sql: 'UPDATE actions SET bytes = $2 WHERE id = $1', params: [other.id, bytes] }]);
  // Several undos at once would store it several times.
  await fill(100_000_001);
  expect(await actions.refused(id, 'undo')).toBe('409 action.too_many_items');
  // With it, the items of the undo are above the limit, and what they share is not.
  await fill(99_999_500);
  const undo = await actions.act(id, 'undo');
  expect(await actions.ended(undo.id)).toMatchObject({ total: 2, failed: 0 });
  expect((await client.get<Resource[]>('/resources')).map(named)).toEqual(expect.arrayContaining(own.map(named)));
});

test('an undo of the only row of an action that has just ended undoes the action', async () => {
  const [device] = await devices(1);
  const { id } = await ofAnn.start(toPc([device!]));
  await ofAnn.ended(id);
  const undo = await ofAnn.act(id, 'undo', { items: [device!.id] });
  expect(await ofAnn.ended(undo.id)).toMatchObject({ kind: 'undo', total: 1, failed: 0 });
});

test('an undo right after the stop includes the items that were being executed', async () => {
  const own = await devices(150);
  const id = randomUUID();
  const release = await startHeld(id, () => ofAnn.start({ ...toPc(own), id }));
  const stopped = await ofAnn.act(id, 'stop');
  expect(stopped).toMatchObject({ state: 'ended', done: 0 });
  const undoing = ofAnn.act(id, 'undo', { id: randomUUID() });
  release();
  const undo = await undoing;
  expect(undo.total).toBeGreaterThanOrEqual(100);
  await ofAnn.ended(undo.id);
  expect(new Set(await Promise.all(own.map(typeOf)))).toEqual(new Set(['bug']));
});

test('an action on a filter leaves out the rows of open actions, and counts without them', async () => {
  const client = await signUpClient(server, 'rob', 'gateway');
  const actions = actionsOf(client);
  const own = await devices(4, client);
  const { id } = await actions.start(toPc(own.slice(0, 3), 60));
  const filter: ActionFilter = { list: 'devices', query: '' };
  const start = { kind: 'delete', about: {}, wait: 60, filter } as const;
  const read = vi.spyOn(server.db, 'read');
  const counted = await actions.send({ ...start, expected: 4 });
  // The database reads the ids in the items: to parse them here would delay all users.
  expect(read.mock.calls.filter(([{ sql }]) => sql.startsWith('SELECT part, items'))).toEqual([]);
  read.mockRestore();
  expect([counted.status, await counted.json()]).toMatchObject([409, { errors: [{ detail: '1' }] }]);
  expect(await actions.start({ ...start, expected: 1 })).toMatchObject({ total: 1, items: [{ id: own[3]!.id }] });
  expect((await actions.post(`/${id}/undo`)).status).toBe(204);
});

test('actions on filters of one user are filled one after the other: each has the ids of all open items in memory', async () => {
  const client = await signUpClient(server, 'una', 'gateway');
  const actions = actionsOf(client);
  const own = await devices(2, client);
  const { id } = await actions.start(toPc(own.slice(0, 1), 60));
  const { read } = server.db;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  /** The fills that have begun to read the ids of open items. */
  let reading = 0;
  let asked = 0;
  const spy = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    if (query.sql.includes('FROM actions WHERE id =')) asked += 1;
    if (query.sql.includes("json_extract(e.value, '$.id') AS id")) {
      reading += 1;
      await held;
    }
    return (await read(query)) as never;
  });
  const start = {
    kind: 'delete',
    about: {},
    wait: 60,
    filter: { list: 'devices', query: '' } as ActionFilter,
  } as const;
  const all = Promise.all([7, 8, 9].map((expected) => actions.send({ ...start, expected })));
  await vi.waitFor(() => expect(reading).toBe(1));
  await client.get(`/resources/${own[0]!.id}`);
  expect(asked).toBeLessThanOrEqual(1);
  release();
  expect((await all).map(({ status }) => status)).toEqual([409, 409, 409]);
  spy.mockRestore();
  expect((await actions.post(`/${id}/undo`)).status).toBe(204);
});

test('a process does not look for the actions of a user for whom another one is executing one', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'sue', 'gateway');
  const own = await devices(3, client);
  // In its first round, the only process of a file takes what earlier ones have left.
  await actionsOf(client).ended((await actionsOf(client).start(toPc(own.splice(0, 1)))).id);
  const [first, second] = own.map((device) => actionsOf(client).start(toPc([device], 60)));
  const until = new Date(small.now().getTime() + 10_000).toISOString();
  const taken = `UPDATE actions SET state = 'running', taken_by = 'another process', taken_until = $2 WHERE id = $1`;
  await small.db.write([{ sql: taken, params: [(await first!).id, until] }]);
  await second;
  await small.db.write([{ sql: `UPDATE actions SET runs_at = '2026-01-01T00:00:00.000Z'` }]);
  const at = (seconds: number) => new Date(small.now().getTime() + seconds * 1000).toISOString();
  const executor = { db: small.db, process: 'this process', at };
  expect(await readDueActions(executor)).toEqual([]);
  expect(await readNextDue(executor)).toBe(Date.parse(until));
});

test('the runner reads only actions whose time has come, of a limited number of users', async () => {
  await using small = await createTestServer();
  const { db, now } = small;
  const at = (seconds: number) => new Date(now().getTime() + seconds * 1000).toISOString();
  const insert = `INSERT INTO actions (id, user_id, kind, about, state, total, wait, runs_at, created_at)
    SELECT value, value, 'delete', '{}', $2, 1, 60, $3, $3 FROM elements($1)`;
  const add = (state: string, length: number, seconds: number) => {
    const ids = Array.from({ length }, () => randomUUID());
    return db.write([{ sql: insert, params: [JSON.stringify(ids), state, at(seconds)] }]);
  };
  let count = 0;
  const read = async <R>(query: Query) => {
    const rows = await db.read<R>(query);
    count = rows.length;
    return rows;
  };
  const executor = { db: { ...db, read }, process: 'this process', at: (seconds: number) => at(20 + seconds) };
  await add('paused', 2, -10);
  await add('pending', 2, 50);
  expect([await readDueActions(executor), count]).toEqual([[], 0]);
  await add('pending', 1001, 10);
  expect(await readDueActions(executor)).toHaveLength(1000);
});

test('an undo whose filling ended with its process is filled again by the same request', async () => {
  const { id } = await ofAnn.start(toPc(await devices(3), 0));
  await ofAnn.ended(id);
  const undo = randomUUID();
  const filled = `INSERT INTO actions (id, user_id, kind, about, state, total, wait, created_at)
    VALUES ($1, 'ann', 'undo', '{}', 'uploading', 3, 0, $2)`;
  await server.db.write([{ sql: filled, params: [undo, new Date(server.now().getTime() - 61_000).toISOString()] }]);
  await ofAnn.act(id, 'undo', { id: undo });
  expect(await ofAnn.ended(undo)).toMatchObject({ kind: 'undo', total: 3, done: 3, failed: 0 });
});

test('more than 500 items are uploaded in parts, which may be sent again', async () => {
  const own = await devices(1203);
  const { items } = toPc(own);
  const parts = [items.slice(0, 500), items.slice(500, 1000), items.slice(1000)];
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

test('an action on a filter concerns what matches now, if the user has confirmed that number', async () => {
  const own = await Promise.all(
    Array.from({ length: 250 }, (_, index) => ann.device({ name: `Gauge ${index}`, machine_type: 'smartphone' })),
  );
  const filter: ActionFilter = { list: 'devices', query: 'q=gauge&machine_type=smartphone', except: [own[7]!.id] };
  const start = { kind: 'update', about: { machine_type: 'pc' }, wait: 0, filter } as const;
  const changed = await ofAnn.send({ ...start, expected: 250 });
  expect([changed.status, await changed.json()]).toMatchObject([
    409,
    { code: 'action.count_changed', errors: [{ pointer: '/expected', detail: '249' }] },
  ]);
  const { id, total } = await ofAnn.start({ ...start, expected: 249 });
  expect(total).toBe(249);
  expect(await ofAnn.ended(id)).toMatchObject({ done: 249, failed: 0 });
  expect(await typeOf(own[7]!)).toBe('smartphone');
  expect(await typeOf(own[8]!)).toBe('pc');
});

test('an action on all members gets no names that are read after the user has lost access', async () => {
  const [swarm, own] = [await ben.swarm(), await ann.device()];
  await ann.accept(await ben.invite(swarm, own));
  await ben.add(swarm, await ben.device({ name: 'Hidden gauge' }));
  const { read } = server.db;
  const held = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    if (query.sql.includes('memberships here')) {
      held.mockRestore();
      await ben.leave(swarm, own);
    }
    return read(query as never);
  });
  const filter: ActionFilter = { list: 'members', swarm_id: swarm.id, query: '' };
  const id = randomUUID();
  const about = { swarm: { id: swarm.id, name: swarm.name } };
  const started = await ofAnn.send({ id, kind: 'remove_member', about, wait: 60, filter, expected: 1 });
  expect(await outcomeOf(started)).toBe('404 swarm.not_found');
  expect(await ofAnn.find(id)).toBeUndefined();
});

test('invalid starts are refused with pointers', async () => {
  const own = await devices(1);
  const good = { id: randomUUID(), ...toPc(own) };
  const faultsOf = async (body: object) => {
    const answer = await ann.request({ method: 'POST', path: '/actions', body });
    const { errors = [] } = (await answer.json()) as Problem;
    return [answer.status, ...errors.map(({ pointer }) => pointer)];
  };
  expect(await faultsOf({ ...good, kind: 'destroy' })).toEqual([400, '/kind']);
  expect(await faultsOf({ ...good, kind: 'undo' })).toEqual([400, '/kind']);
  expect(await faultsOf({ ...good, about: { machine_type: 'car' } })).toEqual([400, '/about/machine_type']);
  expect(await faultsOf({ ...good, items: [{ id: 'a', name: 'b' }, { name: 'c' }] })).toEqual([400, '/items/1/id']);
  expect(await faultsOf({ ...good, items: [] })).toEqual([400, '/items']);
  expect(await faultsOf({ ...good, items: Array(501).fill(good.items) })).toContain('/items');
  expect(await faultsOf({ ...good, wait: 61 })).toEqual([400, '/wait']);
  expect(await faultsOf({ ...good, id: 'a' })).toEqual([400, '/id']);
  expect(await faultsOf({ ...good, total: 1 })).toEqual([400, '']);
  expect(await faultsOf({ ...good, items: undefined, total: 200_001 })).toEqual([400, '/total']);
  expect(await faultsOf({ ...good, items: undefined, filter: { list: 'devices', query: '' } })).toEqual([400, '']);
});

test('a user has a limited number of actions and items that have not ended', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'cleo', 'gateway');
  const actions = actionsOf(client);
  const about = { machine_type: 'pc' } as const;
  const large = { kind: 'update', about, wait: 0, total: 150_000 } as const;
  const { id } = await actions.start(large);
  const tooMany = await actions.send(large);
  expect([tooMany.status, await tooMany.json()]).toMatchObject([
    409,
    { code: 'action.too_many_items', detail: expect.stringContaining('200,000') },
  ]);
  expect((await actions.post(`/${id}/stop`)).status).toBe(204);
  const item = { id: 'a', name: 'b' };
  const two = (): Start => ({ kind: 'update', about, wait: 60, items: [item, item] });
  for (let index = 0; index < 20; index++) await actions.start(two());
  expect(await outcomeOf(await actions.send(two()))).toBe('409 action.too_many');
  for (const action of await actions.list()) await actions.post(`/${action.id}/undo`);
  // Single items that wait are many clicks.
  for (let index = 0; index < 100; index++) await actions.start({ ...two(), items: [item] } as Start);
  await actions.start(two());
});

test('a user has a limited number of bytes of items; parts that are sent again count once', async () => {
  const client = await signUpClient(server, 'dora', 'gateway');
  const actions = actionsOf(client);
  const { id } = await actions.start({ kind: 'delete', about: {}, wait: 0, total: 2 });
  const put = () => client.request({ method: 'PUT', path: `/actions/${id}/parts/0`, body: { items: [item, item] } });
  const item = { id: 'a', name: 'ö'.repeat(900) };
  await Promise.all([put(), put(), put()]);
  const size = 2 * (JSON.stringify(item).length + 900) + 3 + '{}'.length;
  const sql = 'SELECT bytes FROM actions WHERE id = $1';
  expect(await server.db.read({ sql, params: [id] })).toEqual([{ bytes: size }]);
  await server.db.write([{ sql: 'UPDATE actions SET bytes = 100000001 WHERE id = $1', params: [id] }]);
  for (const refused of [put(), actions.send({ kind: 'delete', about: {}, wait: 0, items: [item] })]) {
    const answer = await refused;
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { code: 'action.too_many_items', detail: expect.stringContaining('100,000,000 bytes') },
    ]);
  }
  expect((await actions.post(`/${id}/stop`)).status).toBe(204);
});

test('the newest actions are listed with their items, 2,000 in all', async () => {
  const client = await signUpClient(server, 'emma', 'gateway');
  const actions = actionsOf(client);
  const item = { id: 'a', name: 'b' };
  const start = (count: number): Start => ({ kind: 'delete', about: {}, wait: 60, items: Array(count).fill(item) });
  for (const count of [1, 500, 500, 499, 501, 500]) {
    if (count <= 500) await actions.start(start(count));
    else await actions.upload({ kind: 'delete', about: {}, wait: 60 }, Array(count).fill(item));
    server.wait(1);
  }
  expect((await actions.list()).map(({ items }) => items?.length)).toEqual([500, undefined, 499, 500, 500, 1]);
  await actions.start(start(2));
  expect((await actions.list()).map(({ items }) => items?.length)).toEqual([
    2,
    500,
    undefined,
    499,
    500,
    undefined,
    undefined,
  ]);
  for (const { id } of await actions.list()) await actions.post(`/${id}/undo`);
});

test('an action that has not ended is listed, however many newer ones with long texts have ended', async () => {
  const client = await signUpClient(server, 'lou', 'gateway');
  const actions = actionsOf(client);
  const item = { id: 'a', name: 'b' };
  const { id } = await actions.start({ kind: 'delete', about: {}, wait: 60, items: [item] });
  const insert = `INSERT INTO actions (id, user_id, kind, about, state, total, wait, created_at, ended_at)
    SELECT e.value, a.user_id, 'delete', $3, 'ended', 1, 0, '9999', '9999' FROM elements($1) e, actions a WHERE a.id = $2`;
  const ids = JSON.stringify(Array.from({ length: 70 }, () => randomUUID()));
  await server.db.write([{ sql: insert, params: [ids, id, JSON.stringify({ text: 'a'.repeat(8000) })] }]);
  const listed = await actions.list();
  expect([listed.at(-1)!.id, listed.length]).toEqual([id, 66]);
  expect((await actions.post(`/${id}/undo`)).status).toBe(204);
});

test('the reader thread makes the JSON of listed items, as it does of pages of devices', async () => {
  const client = await signUpClient(server, 'lea', 'gateway');
  const actions = actionsOf(client);
  const items = [
    { id: randomUUID(), name: 'Größe 🦀' },
    ...Array.from({ length: 149 }, () => ({ id: randomUUID(), name: '"' })),
  ];
  const failed = await actions.start({ kind: 'update', about: { machine_type: 'pc' }, wait: 0, items });
  await actions.ended(failed.id);
  const waiting = await actions.start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'b' }] });
  const read = vi.spyOn(server.db, 'read');
  const listed = await client.get<ActionList>('/actions');
  const ofItems = read.mock.calls.filter(([{ sql }]) => /SELECT action_id, part, items/.test(sql));
  read.mockRestore();
  expect(ofItems.map(([{ isLong, shape }]) => [isLong, shape?.name])).toEqual([[true, 'actionList']]);
  expect(listed.actions.map(({ id, ...action }) => [id, action.items, action.results])).toEqual([
    [waiting.id, [{ id: 'a', name: 'b' }], undefined],
    [failed.id, items, items.map(() => expect.objectContaining({ code: 'resource.not_found' }) as unknown)],
  ]);
  await actions.act(waiting.id, 'stop');
  await actions.act(failed.id, 'dismiss');
  expect(await client.get<ActionList>('/actions')).toEqual({ actions: [] });
});

test('the JSON of the list is that of the records, also with several chunks and some failures', async () => {
  const client = await signUpClient(server, 'noor', 'gateway');
  const [id, time] = [randomUUID(), server.now().toISOString()];
  const items = Array.from({ length: 150 }, (_, index) => ({ id: randomUUID(), name: `Größe "${index}"` }));
  const failed = { code: 'resource.not_found', detail: 'A "quoted" reason' };
  const part = 'INSERT INTO action_parts (action_id, part, items, results) VALUES ($1, $2, $3, $4)';
  const chunk = (number: number, failedAt: number) => {
    const ofChunk = items.slice(number * chunkSize, (number + 1) * chunkSize);
    return { sql: part, params: [id, number, JSON.stringify(ofChunk), JSON.stringify({ [failedAt]: failed })] };
  };
  await server.db.write([
    {
      sql: `INSERT INTO actions (id, user_id, kind, about, state, total, done, failed, undoable, wait, created_at, ended_at)
        VALUES ($1, 'noor', 'update', '{"machine_type":"pc"}', 'ended', 150, 120, 2, 118, 0, $2, $2)`,
      params: [id, time],
    },
    chunk(0, 3),
    chunk(1, 105 - chunkSize),
  ]);
  const record = (row: ActionRow) => actionOf(row, { isWaiting: false, canUndo: true, at: time });
  const actions = await withItems(server.db, await listActions(server.db, 'noor'), { record });
  const text = await (await client.request({ path: '/actions' })).text();
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ actions })));
  const results = items.slice(0, 120).map((_, index) => (index === 3 || index === 105 ? failed : null));
  expect(actions).toEqual([expect.objectContaining({ id, items, results })]);
});

test('items with long texts are not listed, and not read for the list', async () => {
  const client = await signUpClient(server, 'kim', 'gateway');
  const create = { name: 'Lamp', machine_type: 'pc' as const, description: '🦀'.repeat(2000) };
  const items = Array.from({ length: 100 }, (_, line) => ({ line: line + 1, name: 'Lamp', create }));
  const about = { file: 'lamps.csv', hash: '' };
  const { id } = await actionsOf(client).upload({ kind: 'import', about, wait: 60 }, items);
  const short = await actionsOf(client).start({ kind: 'delete', about: {}, wait: 60, items: [{ id: 'a', name: 'b' }] });
  const listed = await client.get<ActionList>('/actions');
  expect(listed.actions.map((action) => [action.id, action.items?.length])).toEqual([
    [short.id, 1],
    [id, undefined],
  ]);
  for (const action of listed.actions) await actionsOf(client).act(action.id, 'stop');
});

test('old actions are deleted, and the oldest of too many items or bytes', async () => {
  await using old = await createTestServer();
  const client = await signUpClient(old, 'cleo', 'gateway');
  const actions = actionsOf(client);
  const item = { id: 'a', name: 'b' };
  const start = (count: number): Start => ({
    kind: 'update',
    about: { machine_type: 'pc' },
    wait: 0,
    items: Array.from({ length: count }, () => item),
  });
  const [one, two] = [await actions.start(start(1)), await actions.start(start(2))];
  const upload = await actions.start({ kind: 'update', about: {}, wait: 0, total: 1 });
  await actions.ended(one.id);
  await actions.ended(two.id);
  const left = async () => {
    await old.app.tidy();
    return (await Promise.all([one, two, upload].map(({ id }) => actions.find(id)))).map(
      (found) => found !== undefined,
    );
  };
  expect(await left()).toEqual([true, true, true]);
  old.wait(2 * hourMs);
  expect(await left()).toEqual([true, true, false]);
  old.wait(dayMs);
  expect(await left()).toEqual([false, true, false]);
  const three = await actions.start(start(2));
  await actions.ended(three.id);
  const isLeft = async () => (await left()) && (await actions.find(three.id)) !== undefined;
  await old.db.write([{ sql: `UPDATE actions SET bytes = 99999000 WHERE id = $1`, params: [three.id] }]);
  expect([await isLeft(), ...(await left())]).toEqual([true, false, true, false]);
  // The newest one stays at any size.
  await old.db.write([{ sql: `UPDATE actions SET bytes = 100000001 WHERE id = $1`, params: [three.id] }]);
  expect([await isLeft(), ...(await left())]).toEqual([true, false, false, false]);
  await old.db.write([{ sql: `UPDATE actions SET total = 200001 WHERE id = $1`, params: [three.id] }]);
  expect(await isLeft()).toBe(false);
  expect(await old.db.read({ sql: 'SELECT part FROM action_parts' })).toEqual([]);
});

/** Replaces the write of the results of one action; `write` executes it. */
function onResults(id: string, replace: (write: () => Promise<WriteResult>) => Promise<WriteResult>, { db } = server) {
  const { write } = db;
  const isResults = ({ sql, params }: Statement<string>) => sql.includes('SET results') && params?.[0] === id;
  return vi
    .spyOn(db, 'write')
    .mockImplementation((statements) =>
      statements.some(isResults) ? replace(() => write(statements)) : write(statements),
    );
}

/** Starts an action, and holds the results of its first chunks until `release` is called. */
async function startHeld(id: string, start: () => Promise<unknown>) {
  const [executed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = onResults(id, async (write) => {
    executed.resolve();
    await released.promise;
    return write();
  });
  await start();
  await executed.promise;
  return () => {
    held.mockRestore();
    released.resolve();
  };
}

test('after a pause, a failure is one, and Undo restores what the user has changed since', async () => {
  const own = await devices(300);
  // A server that is fast enough executes two chunks of 100 at once.
  const [changed, deleted] = [own[250]!, own[251]!];
  const id = randomUUID();
  const release = await startHeld(id, () =>
    ofAnn.upload(
      { id, kind: 'delete', about: {}, wait: 0 },
      own.map(({ id, name }) => ({ id, name })),
    ),
  );
  await ofAnn.act(id, 'pause');
  release();
  await expect.poll(async () => (await ofAnn.find(id))!.done).toBeGreaterThanOrEqual(100);
  await ann.request({ method: 'PUT', path: `/resources/${changed.id}`, body: { description: 'B' } });
  await ann.destroy('resources', deleted);
  await ofAnn.act(id, 'resume');
  expect(await ofAnn.ended(id)).toMatchObject({ done: 300, failed: 1 });
  const undone = await ofAnn.act(id, 'undo');
  await ofAnn.ended(undone.id);
  expect(await ann.get(`/resources/${changed.id}`)).toMatchObject({ description: 'B' });
});

/**
 * Deletes 300 devices, and runs `during` exactly between two batches: after the results of one were stored, and before the
 * next one is looked for. Then changes two of the devices that are left.
 */
async function deletePaused(
  { client, server }: { client: ServiceClient; server: TestServer },
  during: (id: string, changeDevices: () => Promise<void>) => Promise<unknown>,
) {
  const own = await devices(300, client);
  const [changed, deleted] = [own[150]!, own[151]!];
  const id = randomUUID();
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isStored = false;
  const store = async (write: () => Promise<WriteResult>) => {
    const written = await write();
    isStored = true;
    return written;
  };
  const results = onResults(id, store, server);
  const { read } = server.db;
  const due = vi.spyOn(server.db, 'read').mockImplementation(async <R>(query: Query) => {
    if (isStored && query.sql.startsWith('WITH RECURSIVE users')) {
      reached.resolve();
      await released.promise;
    }
    return read<R>(query);
  });
  const actions = actionsOf(client);
  const items = own.map(({ id, name }) => ({ id, name }));
  await actions.upload({ id, kind: 'delete', about: {}, wait: 0 }, items);
  await reached.promise;
  await during(id, async () => {
    await client.request({ method: 'PUT', path: `/resources/${changed.id}`, body: { description: 'B' } });
    await client.destroy('resources', deleted);
  });
  results.mockRestore();
  due.mockRestore();
  released.resolve();
  return {
    id,
    /** The action failed for the device that the user deleted, and Undo restores the one that the user changed. */
    async expectFresh() {
      expect(await actions.ended(id)).toMatchObject({ done: 300, failed: 1 });
      const undone = await actions.act(id, 'undo');
      await actions.ended(undone.id);
      expect(await client.get(`/resources/${changed.id}`)).toMatchObject({ description: 'B' });
    },
  };
}

test('an action that is paused and resumed between two batches reads anew what it replaces', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'cleo', 'gateway');
  const { id, expectFresh } = await deletePaused({ client, server: small }, async (id, changeDevices) => {
    await actionsOf(client).act(id, 'pause');
    await changeDevices();
    await actionsOf(client).act(id, 'resume');
  });
  await expectFresh();
  const stored = `SELECT bytes, octet_length(about) + (SELECT sum(octet_length(items) + octet_length(before))
    FROM action_parts WHERE action_id = $1) AS expected FROM actions WHERE id = $1`;
  const [row] = await small.db.read<{ bytes: number; expected: number }>({ sql: stored, params: [id] });
  expect(row!.bytes).toBe(row!.expected);
});

test('so does one that is paused between two batches, and resumed after a restart', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'cleo', 'gateway');
  const { id, expectFresh } = await deletePaused({ client, server: small }, async (id, changeDevices) => {
    await actionsOf(client).act(id, 'pause');
    await changeDevices();
  });
  await using _next = await small.restart();
  await actionsOf(client).act(id, 'resume');
  await expectFresh();
});

test('what a batch of several chunks has executed before a crash does not fail after it', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'cleo', 'gateway');
  const actions = actionsOf(client);
  const id = randomUUID();
  const items = (await devices(300, client)).map(({ id, name }) => ({ id, name }));
  await actions.upload({ id, kind: 'delete', about: {}, wait: 0 }, items);
  await actions.ended(id);
  // As if its three chunks had been one batch, whose results were not stored.
  await small.db.write([
    {
      sql: `UPDATE actions SET state = 'running', done = 0, undoable = 0, ended_at = NULL, is_dismissed = 0,
              taken_by = 'crashed', taken_until = '' WHERE id = $1`,
      params: [id],
    },
    { sql: `UPDATE action_parts SET results = NULL WHERE action_id = $1`, params: [id] },
  ]);
  await using _next = await small.restart();
  expect(await actions.ended(id)).toMatchObject({ done: 300, failed: 0 });
});

test('what a batch has executed after a stop, before a crash, is listed as failed and can be undone', async () => {
  await using small = await createTestServer();
  const client = await signUpClient(small, 'cleo', 'gateway');
  const actions = actionsOf(client);
  const [one, two] = await devices(2, client);
  const { id } = await actions.start(toPc([one!, two!]));
  await actions.ended(id);
  // As if it had been stopped during its batch, whose results were not stored.
  await small.db.write([
    {
      sql: `UPDATE actions SET done = 0, undoable = 0, taken_by = 'crashed', taken_until = '2000-01-01' WHERE id = $1`,
      params: [id],
    },
    { sql: `UPDATE action_parts SET results = NULL WHERE action_id = $1`, params: [id] },
  ]);
  await using next = await small.restart();
  await next.tidy();
  expect(await actions.find(id)).toMatchObject({ done: 2, failed: 2, changed: 2, can_undo: true });
  const { results } = await client.get<ActionResults>(`/actions/${id}/results?failed=true`);
  expect(results.map(({ result }) => result?.code)).toEqual(['server.failed', 'server.failed']);
  const undo = await actions.act(id, 'undo');
  expect(await actions.ended(undo.id)).toMatchObject({ done: 2, failed: 0 });
  const types = await Promise.all([one!, two!].map((each) => client.get<Resource>(`/resources/${each.id}`)));
  expect(types.map(({ machine_type }) => machine_type)).toEqual(['bug', 'bug']);
});

test('after a restore, actions are paused and say why, and go on when they are resumed', async () => {
  await using other = await createTestServer();
  const cat = await signUpClient(other, 'cat', 'gateway');
  const [own, later] = await devices(2, cat);
  const { id } = await actionsOf(cat).start(toPc([own!], 60));
  const paused = await actionsOf(cat).start(toPc([later!], 60));
  await actionsOf(cat).act(paused.id, 'pause');
  await adoptCopy({ db: other.db });
  other.wait(61_000);
  await using _restored = await other.restart();
  const body = JSON.stringify({ username: 'cat', password });
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const signedIn = await other.fetch('/auth/sign-in/username', { method: 'POST', headers, body });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  const user = { name: 'cat', key: '', cookie };
  const ofCat = actionsOf(createServiceClient('cat', (asked) => other.request('gateway', user, asked)));
  for (const one of [id, paused.id])
    expect(await ofCat.find(one)).toMatchObject({ state: 'paused', is_restored: true, done: 0 });
  await ofCat.act(id, 'resume');
  const ended = await ofCat.ended(id);
  expect(ended).toMatchObject({ done: 1, failed: 0, can_undo: true });
  expect(ended).not.toHaveProperty('is_restored');
});

test('a long action can be paused, resumed and stopped; what was executed stays', async () => {
  const own = await devices(1000);
  const { items } = toPc(own);
  const start = async () => {
    const id = randomUUID();
    const release = await startHeld(id, () =>
      ofAnn.upload({ id, kind: 'update', about: { machine_type: 'pc' }, wait: 0 }, items),
    );
    return { id, release };
  };
  const { id, release } = await start();
  await ofAnn.act(id, 'pause');
  release();
  expect(await ofAnn.refused(id, 'pause')).toBe('409 action.state');
  const settled = async () => {
    for (let before = -1; ;) {
      const done = (await ofAnn.find(id))!.done;
      if (done === before) return done;
      before = done;
      // Another user's action is executed after the chunk that was running.
      const next = await actionsOf(ben).start({ kind: 'update', about: {}, wait: 0, items: [{ id: 'a', name: 'b' }] });
      await actionsOf(ben).ended(next.id);
    }
  };
  const done = await settled();
  expect(done).toBeLessThan(1000);
  const types = async () =>
    (await ann.get<Resource[]>('/resources')).filter(({ machine_type }) => machine_type === 'pc').length;
  const before = await types();
  await ofAnn.act(id, 'resume');
  expect(await ofAnn.ended(id)).toMatchObject({ done: 1000, failed: 0 });
  expect(await types()).toBe(before + 1000 - done);

  const again = await start();
  await ofAnn.act(again.id, 'stop');
  again.release();
  const stopped = (await ofAnn.find(again.id))!;
  expect(stopped).toMatchObject({ state: 'ended', failed: 0 });
  const { results } = await ann.get<ActionResults>(`/actions/${again.id}/results`);
  expect(results).toHaveLength(1000);
  expect(results.at(-1)).not.toHaveProperty('result');
});

test('an action that is stopped during a failure stays until it is dismissed', async () => {
  const [device, ...others] = await devices(1, ben).then(async (foreign) => [...foreign, ...(await devices(150))]);
  const id = randomUUID();
  const release = await startHeld(id, () => ofAnn.start({ ...toPc([device!, ...others]), id }));
  expect(await ofAnn.act(id, 'stop')).toMatchObject({ state: 'ended', failed: 0 });
  release();
  await vi.waitFor(async () => expect((await ofAnn.list())[0]).toMatchObject({ id, failed: 1 }));
  await ofAnn.act(id, 'dismiss');
});

test('an unexpected error ends its action, and others go on', async () => {
  const own = await devices(150);
  const id = randomUUID();
  const broken = onResults(id, async () => {
    throw new StorageError('unexpected', 'a mistake');
  });
  await ofAnn.start({ ...toPc(own), id });
  const [device] = await devices(1, ben);
  const next = await actionsOf(ben).start(toPc([device!]));
  await actionsOf(ben).ended(next.id);
  expect(await ofAnn.ended(id)).toMatchObject({ total: 150, done: 150, failed: 150 });
  broken.mockRestore();
  const { results } = await ann.get<ActionResults>(`/actions/${id}/results`);
  expect(new Set(results.map(({ result }) => result?.code))).toEqual(new Set(['server.failed']));
  const again = await ofAnn.act(id, 'retry');
  expect(await ofAnn.ended(again.id)).toMatchObject({ total: 150, failed: 0 });
});

test('a retry that is sent again, during the first and after it, is one action, and another user does not get it', async () => {
  const [foreign] = await devices(1, ben);
  const before = new Set((await ofAnn.list()).map((action) => action.id));
  const { id } = await ofAnn.start(toPc([foreign!, ...(await devices(1))]));
  await ofAnn.ended(id);
  const body = { id: randomUUID() };
  const first = await Promise.all([ofAnn.act(id, 'retry', body), ofAnn.act(id, 'retry', body)]);
  await ofAnn.ended(body.id);
  const later = await ofAnn.act(id, 'retry', body);
  expect([...first, later].map((action) => action.id)).toEqual(Array(3).fill(body.id));
  expect(later).toMatchObject({ state: 'ended', total: 1, failed: 1 });
  const listed = (await ofAnn.list()).map((action) => action.id);
  expect(listed.filter((each) => !before.has(each))).toEqual([body.id]);
  expect(await actionsOf(ben).refused(id, 'retry', body)).toBe('404 action.not_found');
  const other = await actionsOf(ben).start(toPc(await devices(1)));
  await actionsOf(ben).ended(other.id);
  expect(await actionsOf(ben).refused(other.id, 'retry', body)).toBe('404 action.not_found');
  expect(await ofAnn.refused(id, 'retry', { id: 'x' })).toBe('400 body.invalid');
  await ofAnn.act(body.id, 'dismiss');
});

test('the chunks of an ended action are read in turns of its user, not all in one tick of the main thread', async () => {
  const [foreign] = await devices(1, ben);
  const { id } = await ofAnn.start(toPc([...(await devices(2 * chunkSize)), foreign!]));
  await ofAnn.ended(id);
  const read = vi.spyOn(server.db, 'read');
  const readsOfChunks = () =>
    read.mock.calls
      .map(([query]) => query)
      .filter(({ sql, params }) => sql.includes('FROM action_parts') && params?.[0] === id);
  const again = await ofAnn.act(id, 'retry');
  const undo = await ofAnn.act(id, 'undo', { id: randomUUID() });
  const { failed } = await server.app.operator.readFailedLines({ user: 'ann', id, part: 0 });
  expect(failed).toHaveLength(1);
  expect(readsOfChunks().filter(({ isLong }) => isLong)).toHaveLength(9);
  expect(readsOfChunks().filter(({ isLong }) => !isLong)).toEqual([]);
  read.mockRestore();
  await Promise.all([again, undo].map((action) => ofAnn.ended(action.id)));
});

test.each(['stop', 'undo'])('failed items may be tried again after a retry that has executed none: %s', async (end) => {
  const [foreign] = await devices(1, ben);
  const { id } = await ofAnn.start(toPc([foreign!]));
  await ofAnn.ended(id);
  const again = randomUUID();
  const hasEnded = Promise.withResolvers<void>();
  const { write } = server.db;
  const isTaken = ({ sql, params }: Statement<string>) =>
    sql.includes(`SET state = 'running', taken_by`) && params?.[0] === again;
  vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
    if (statements.some(isTaken)) await hasEnded.promise;
    return write(statements);
  });
  await ofAnn.act(id, 'retry', { id: again });
  expect(await ofAnn.find(id)).toMatchObject({ retried_by: again });
  expect((await ofAnn.post(`/${again}/${end}`)).status).toBeLessThan(300);
  hasEnded.resolve();
  expect(await ofAnn.find(id)).not.toHaveProperty('retried_by');
  const third = await ofAnn.act(id, 'retry');
  expect(third.id).not.toBe(again);
  expect(await ofAnn.ended(third.id)).toMatchObject({ total: 1, done: 1, failed: 1 });
  await ofAnn.act(third.id, 'dismiss');
});

test('a retry that is stopped during its first batch is the only one', async () => {
  const [foreign] = await devices(1, ben);
  const { id } = await ofAnn.start(toPc([foreign!]));
  await ofAnn.ended(id);
  const again = randomUUID();
  const release = await startHeld(again, () => ofAnn.act(id, 'retry', { id: again }));
  await ofAnn.act(again, 'stop');
  release();
  expect(await ofAnn.act(id, 'retry')).toMatchObject({ id: again });
  await expect.poll(async () => (await ofAnn.find(again))!.failed).toBe(1);
  await ofAnn.act(again, 'dismiss');
});

test('an action goes on when its session has ended, and is deleted with the account', async () => {
  const mia = await server.signUp('mia');
  const signedIn = await signInAgain('mia');
  const other = createServiceClient('mia', (asked) => server.request('gateway', signedIn, asked));
  const client = createServiceClient('mia', (asked) => server.request('gateway', mia, asked));
  const own = await devices(1, other);
  const { id } = await actionsOf(client).start(toPc(own, 60));
  await server.fetch('/auth/sign-out', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: mia.cookie },
  });
  expect((await actionsOf(client).post(`/${id}/wait`, { seconds: 0 })).status).toBe(401);
  await actionsOf(other).act(id, 'wait', { seconds: 0 });
  expect(await actionsOf(other).ended(id)).toMatchObject({ failed: 0 });

  await actionsOf(other).start(toPc(own, 60));
  const deletion = { method: 'DELETE', path: '/account', body: { user_id: 'mia' } };
  expect((await other.request(deletion)).status).toBe(204);
  const rows = `SELECT 1 FROM actions WHERE user_id = 'mia'`;
  expect(await server.db.read({ sql: rows })).toEqual([]);
  const parts = { sql: 'SELECT 1 FROM action_parts WHERE items LIKE $1', params: [`%${own[0]!.id}%`] };
  await expect.poll(() => server.db.read(parts)).toEqual([]);
});

test('an action goes on when the password is changed during it', async () => {
  const pia = await server.signUp('pia');
  const client = createServiceClient('pia', (asked) => server.request('gateway', pia, asked));
  const own = await devices(600, client);
  const id = randomUUID();
  const { items, ...start } = toPc(own);
  const release = await startHeld(id, () => actionsOf(client).upload({ ...start, id }, items));
  await server.app.operator.setPassword({ name: 'pia', password: 'another long password' });
  expect((await client.request({ path: '/actions' })).status).toBe(401);
  release();
  const ended = { sql: 'SELECT done, failed FROM actions WHERE id = $1 AND state = $2', params: [id, 'ended'] };
  await vi.waitFor(async () => expect(await server.db.read(ended)).toEqual([{ done: 600, failed: 0 }]));
});

test('an action ends with its account', async () => {
  const client = await signUpClient(server, 'quin', 'gateway');
  const own = await devices(600, client);
  const id = randomUUID();
  const { items, ...start } = toPc(own);
  const release = await startHeld(id, () => actionsOf(client).upload({ ...start, id }, items));
  const deletion = { method: 'DELETE', path: '/account', body: { user_id: 'quin' } };
  expect((await client.request(deletion)).status).toBe(204);
  server.logged.length = 0;
  release();
  const [device] = await devices(1);
  await ofAnn.ended((await ofAnn.start(toPc([device!]))).id);
  expect(await server.db.read({ sql: 'SELECT 1 FROM action_parts WHERE action_id = $1', params: [id] })).toEqual([]);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

async function signInAgain(name: string): Promise<TestUser> {
  const signedIn = await server.fetch('/auth/sign-in/username', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: name, password }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((entry) => entry.split(';')[0])
    .join('; ');
  return { name, key: '', cookie };
}

test('every stream of the user gets the changes of an action, also in another process', async () => {
  const other = await server.startAnother(server.db);
  const open = async (app: App, { cookie }: TestUser, query = '') => {
    const { outgoing, events } = eventRecorder();
    await app.fetch(new Request(`${origin}/api/events${query}`, { headers: { cookie } }), { outgoing });
    return () => (events() as GatewayEvent[]).flatMap((event) => (event.type === 'action.changed' ? [event.data] : []));
  };
  const noa = await server.signUp('noa');
  const client = createServiceClient('noa', (asked) => server.request('gateway', noa, asked));
  const streams = [await open(server.app, noa), await open(other, noa)];
  const strangers = await open(server.app, await server.signUp('oda'));
  const own = await devices(3, client);
  const { id } = await actionsOf(client).start(toPc(own));
  const ended = { id, state: 'ended', done: 3, failed: 0 };
  for (const sent of streams) await vi.waitFor(() => expect(sent().at(-1)).toMatchObject(ended));
  const undone = await actionsOf(client).start(toPc(own, 60));
  await actionsOf(client).post(`/${undone.id}/undo`);
  for (const sent of streams) await vi.waitFor(() => expect(sent().at(-1)).toEqual({ id: undone.id }));
  expect(streams[0]!()[0]).not.toHaveProperty('items');
  const continued = await open(server.app, noa, '?last_event_id=1');
  await vi.waitFor(() => expect(continued()).toEqual([{ resumed: true }]));
  expect(strangers()).toEqual([]);
  other.endStreams();
  await other.close();
});

test('changes of actions that could not be read are read again', async () => {
  const subscribe = () => () => undefined;
  const reports: unknown[] = [];
  const read = vi
    .fn<() => Promise<never[]>>()
    .mockRejectedValueOnce(new StorageError('away', 'away'))
    .mockResolvedValue([]);
  const events = createActionEvents({ feed: { subscribe }, read, report: (error) => reports.push(error) });
  const sent: unknown[] = [];
  events.subscribe('ann', (action) => sent.push(action));
  events.note('one', 'ann');
  await vi.waitFor(() => expect(sent).toEqual([{ id: 'one' }]));
  expect(reports).toHaveLength(1);
  events.stop();
});

test('what items replace is kept up to a limit, beyond which they fail and nothing is deleted', async () => {
  const own = await devices(2);
  const other = `INSERT INTO actions (id, user_id, kind, about, state, total, wait, created_at, bytes)
    VALUES ($1, 'ann', 'delete', '{}', 'paused', 1, 0, '', $2)`;
  const id = randomUUID();
  const items = own.map(({ id, name }) => ({ id, name }));
  const refused = await ofAnn.start({ kind: 'delete', about: {}, wait: 60, items });
  await ofAnn.act(refused.id, 'pause');
  await server.db.write([{ sql: other, params: [id, actionLimits.bytesWithUndo - 100] }]);
  await ofAnn.act(refused.id, 'resume');
  expect(await ofAnn.ended(refused.id)).toMatchObject({ done: 2, failed: 2 });
  const results = await ann.get<{ items: { problem: { code: string } }[] }>(`/actions/${refused.id}/results`);
  expect(JSON.stringify(results)).toContain('action.undo_too_large');
  for (const device of own) expect(await typeOf(device)).toBeDefined();
  await server.db.write([{ sql: 'DELETE FROM actions WHERE id = $1', params: [id] }]);
  const allowed = await ofAnn.start({ kind: 'delete', about: {}, wait: 0, items });
  expect(await ofAnn.ended(allowed.id)).toMatchObject({ done: 2, failed: 0 });
});
