// stores: SQLite, PostgreSQL in the long run
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type {
  AccountKeys,
  ActivityPage,
  ApiKey,
  CreatedApiKey,
  CreatedDeviceKeys,
  Resource,
  Swarm,
} from '../../contract.ts';
import { StorageError } from '../store/statement.ts';
import { createServiceClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import {
  createTestServer,
  type RequestOptions,
  type TestServer,
  type TestUser,
} from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: TestUser;
let client: ServiceClient;
let device: Resource;
beforeAll(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann');
  client = createServiceClient('ann', (asked) => server.request('direct', ann, asked));
  device = await client.device();
});
afterAll(() => server[Symbol.asyncDispose]());

async function manage<Body>(method: string, path: string, body?: object) {
  const answer = await server.request('gateway', ann, { method, path, ...(body && { body }) });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as Body & { code?: string } };
}
const create = async (body: object, of = device) =>
  (await manage<CreatedApiKey>('POST', `/devices/${of.id}/keys`, { name: 'sensor', ...body })).body;
const withKey = (key: string, asked: RequestOptions) => server.request('direct', { ...ann, key }, asked);
const statusWith = async (key: string) => (await withKey(key, { path: `/resources/${device.id}` })).status;

test('reads and updates its own device', async () => {
  const { key } = await create({});
  expect(await statusWith(key)).toBe(200);
  const moved = { position: { longitude: 8, latitude: 54 } };
  const answer = await withKey(key, { method: 'PUT', path: `/resources/${device.id}`, body: moved });
  expect(await answer.json()).toMatchObject(moved);
});

test('shows of the other members of its swarms nothing', async () => {
  const other = await client.device();
  const resources = [device, other].map(({ id }) => ({ resource_id: id, resource_type: 'both' }));
  const swarm = await client.swarm({ resources });
  const { key } = await create({});
  const listed = (await (await withKey(key, { path: `/resources/${device.id}/swarms` })).json()) as Swarm[];
  const own = swarm.resources.filter(({ resource_id }) => resource_id === device.id);
  expect(listed).toEqual([{ ...swarm, resources: own }]);
});

test('is listed with its device and its account, and is revoked from both', async () => {
  const target = await client.device({ name: 'Tide gauge' });
  const [first, second] = [await create({ name: 'first' }, target), await create({ name: 'second' }, target)];
  const listed = async () =>
    (await manage<{ items: ApiKey[] }>('GET', `/devices/${target.id}/keys`)).body.items.map(({ name }) => name);
  expect(await listed()).toEqual(['first', 'second']);
  const { items, device_keys: ofDevices } = (await manage<AccountKeys>('GET', '/account/keys')).body;
  expect(items.map(({ name }) => name)).toEqual(['test']);
  expect(ofDevices.items[0]).toEqual({
    id: second.id,
    name: 'second',
    scope: 'all',
    ends_in: second.ends_in,
    created_at: second.created_at,
    device: { id: target.id, name: 'Tide gauge' },
  });
  expect(ofDevices.total).toBe(ofDevices.items.length);
  // Not by the address of another device.
  expect((await manage('DELETE', `/devices/${device.id}/keys/${first.id}`)).body).toMatchObject({
    code: 'key.not_found',
  });
  expect((await manage('DELETE', `/devices/${target.id}/keys/${first.id}`)).status).toBe(204);
  expect((await manage('DELETE', `/account/keys/${second.id}`)).status).toBe(204);
  expect(await listed()).toEqual([]);
  expect(await withKey(first.key, { path: `/resources/${target.id}` })).toMatchObject({ status: 401 });
});

test('ends at its time, with the request after it', async () => {
  const expires_at = new Date(server.now().getTime() + 60_000).toISOString();
  const { key, expires_at: shown } = await create({ expires_at });
  expect(shown).toBe(expires_at);
  expect(await statusWith(key)).toBe(200);
  server.wait(60_000);
  expect(await statusWith(key)).toBe(401);
  const past = await manage('POST', `/devices/${device.id}/keys`, { name: 'late', expires_at });
  expect(past).toMatchObject({ status: 400, body: { errors: [{ pointer: '/expires_at' }] } });
});

test('is deleted with its device', async () => {
  const gone = await client.device();
  const { key, id } = await create({}, gone);
  await client.destroy('resources', gone);
  expect((await withKey(key, { path: `/resources/${gone.id}` })).status).toBe(401);
  expect(await server.db.read({ sql: 'SELECT 1 FROM api_keys WHERE id = $1', params: [id] })).toEqual([]);
});

test('is one of at most ten of a device, also of requests at the same time, and none of the account’s hundred', async () => {
  const target = await client.device();
  const before = (await manage<{ quotas: { keys: object } }>('GET', '/account')).body.quotas.keys;
  const made = await Promise.all(
    Array.from({ length: 12 }, () => manage('POST', `/devices/${target.id}/keys`, { name: 'k' })),
  );
  expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array<number>(10).fill(201),
    409,
    409,
  ]);
  expect(made.find(({ status }) => status === 409)!.body.code).toBe('key.too_many');
  expect((await manage<{ quotas: { keys: object } }>('GET', '/account')).body.quotas.keys).toEqual(before);
});

test('that has ended makes space for another one of its device', async () => {
  const target = await client.device();
  const expires_at = new Date(server.now().getTime() + 60_000).toISOString();
  for (let n = 0; n < 10; n++) await create({ expires_at }, target);
  expect((await manage('POST', `/devices/${target.id}/keys`, { name: 'k' })).status).toBe(409);
  server.wait(61_000);
  expect((await manage('POST', `/devices/${target.id}/keys`, { name: 'k' })).status).toBe(201);
});

test('that has ended leaves the quota of its owner, also if its device gets no other one', async () => {
  const amount = async () => {
    const sql = `SELECT amount FROM usage WHERE user_id = 'ann' AND kind = 'device_keys'`;
    return (await server.db.read<{ amount: number }>({ sql }))[0]!.amount;
  };
  const target = await client.device();
  await server.app.tidy();
  const before = await amount();
  const expires_at = new Date(server.now().getTime() + 60_000).toISOString();
  await create({ expires_at }, target);
  const { id } = await create({}, target);
  await server.app.tidy();
  expect(await amount()).toBe(before + 2);
  server.wait(61_000);
  await server.app.tidy();
  expect(await amount()).toBe(before + 1);
  const { items } = (await manage<{ items: ApiKey[] }>('GET', `/devices/${target.id}/keys`)).body;
  expect(items.map((key) => key.id)).toEqual([id]);
});

test('is in the activity log with its device', async () => {
  const { id } = await create({ name: 'logger' });
  await manage('DELETE', `/devices/${device.id}/keys/${id}`);
  const { items } = (await manage<ActivityPage>('GET', '/activity?limit=2')).body;
  const resource = { id: device.id, name: device.name, user_id: 'ann' };
  expect(items).toMatchObject([
    { kind: 'account.key_revoked', detail: 'logger', resource },
    { kind: 'account.key_created', detail: 'logger', resource },
  ]);
});

test('of a try without an answer is revoked by the next try, and no other one is', async () => {
  const target = await client.device();
  const attempt = randomUUID();
  const other = await create({ attempt: randomUUID() }, target);
  const lost = await create({ attempt }, target);
  expect(await withKey(lost.key, { path: `/resources/${target.id}` })).toMatchObject({ status: 200 });
  const { id, key } = await create({ name: 'renamed', attempt }, target);
  expect(await withKey(lost.key, { path: `/resources/${target.id}` })).toMatchObject({ status: 401 });
  expect(await withKey(key, { path: `/resources/${target.id}` })).toMatchObject({ status: 200 });
  const { items } = (await manage<{ items: ApiKey[] }>('GET', `/devices/${target.id}/keys`)).body;
  expect(items.map((listed) => listed.id)).toEqual([other.id, id]);
  const activity = (await manage<ActivityPage>('GET', '/activity?limit=3')).body.items;
  expect(activity.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
    'account.key_created renamed',
    'account.key_replaced sensor',
    'account.key_created sensor',
  ]);
});

test('of many devices at once is one of each, however often the request comes', async () => {
  const devices: Resource[] = [];
  for (let n = 0; n < 250; n++) devices.push(await client.device({ name: `Buoy ${n}` }));
  const attempt = randomUUID();
  const resource_ids = devices.map(({ id }) => id);
  const mint = () => manage<CreatedDeviceKeys>('POST', '/devices/keys', { resource_ids, attempt });
  const lost = (await mint()).body;
  expect(await withKey(lost.items[0]!.key, { path: `/resources/${devices[0]!.id}` })).toMatchObject({ status: 200 });
  const answers = await Promise.all([mint(), mint()]);
  expect(answers.map(({ body }) => body.items.length)).toEqual([250, 250]);
  for (const { id } of devices) {
    const { items } = (await manage<{ items: ApiKey[] }>('GET', `/devices/${id}/keys`)).body;
    expect(items).toHaveLength(1);
  }
  expect(await withKey(lost.items[0]!.key, { path: `/resources/${devices[0]!.id}` })).toMatchObject({ status: 401 });
  const { body } = await mint();
  for (const { device: made, key } of body.items.slice(95, 105))
    expect(await withKey(key, { path: `/resources/${made.id}` })).toMatchObject({ status: 200 });
});

test('is created for many devices at once: which of them get none, and why, is in the answer', async () => {
  const many = await Promise.all(Array.from({ length: 4 }, (_, n) => client.device({ name: `Buoy ${n}` })));
  const [, , full, ended] = many;
  const expires_at = new Date(server.now().getTime() + 60_000).toISOString();
  for (let n = 0; n < 10; n++) await Promise.all([create({}, full), create({ expires_at }, ended)]);
  server.wait(61_000);
  const bob = await server.signUp('bob');
  const theirs = await createServiceClient('bob', (asked) => server.request('direct', bob, asked)).device();
  const ask = (resource_ids: string[]) => manage<CreatedDeviceKeys>('POST', '/devices/keys', { resource_ids });
  const { status, body } = await ask([...many, many[0]!, theirs].map(({ id }) => id));
  expect(status).toBe(201);
  expect(body.items.map(({ device: { name } }) => name)).toEqual(['Buoy 0', 'Buoy 1', 'Buoy 3']);
  expect(body.failed).toEqual([
    { id: full!.id, code: 'key.too_many' },
    { id: theirs.id, code: 'resource.not_found' },
  ]);
  for (const made of body.items) {
    const path = (id: string) => ({ path: `/resources/${id}` });
    expect((await withKey(made.key, path(made.device.id))).status).toBe(200);
    expect((await withKey(made.key, path(full!.id))).status).toBe(403);
  }
  const newest = async () => (await manage<ActivityPage>('GET', '/activity?limit=1')).body.items[0];
  expect(await newest()).toMatchObject({ kind: 'account.key_created', detail: 'Buoy 0 +2' });
  const before = await newest();
  expect((await ask([full!.id, theirs.id])).body).toMatchObject({ items: [], failed: [{}, {}] });
  expect(await newest()).toEqual(before);
  for (const wrong of [[], Array<string>(501).fill(full!.id)])
    expect((await ask(wrong)).body.code).toBe('body.invalid');
});

test('ten of them count as a request of their user', async () => {
  await using limited = await createTestServer({ rateLimit: 0.1, isRepeatable: true });
  const user = await limited.signUp('eve');
  const statusOf = async (asked: RequestOptions) => (await limited.request('gateway', user, asked)).status;
  const ask = (count: number) =>
    statusOf({
      method: 'POST',
      path: '/devices/keys',
      body: { resource_ids: Array.from({ length: count }, (_, n) => `d${n}`) },
    });
  // 40 requests at once.
  expect(await ask(300)).toBe(201);
  // Refused, it counts as one.
  expect(await ask(200)).toBe(429);
  expect(await ask(90)).toBe(201);
  expect(await ask(1)).toBe(429);
  limited.wait(1000);
  expect(await ask(10)).toBe(201);
});

test('are created for 500 devices at once with any rate', async () => {
  for (const rateLimit of [0.12, 0.01, 0.001]) {
    await using limited = await createTestServer({ rateLimit, isRepeatable: true });
    const user = await limited.signUp('eve');
    limited.wait(60_000);
    const body = { resource_ids: Array.from({ length: 500 }, (_, n) => `d${n}`) };
    const statuses: number[] = [];
    async function ask() {
      const answer = await limited.request('gateway', user, { method: 'POST', path: '/devices/keys', body });
      statuses.push(answer.status);
      limited.wait(1000 * Number(answer.headers.get('retry-after')));
    }
    await ask();
    expect(statuses).toEqual([201]);
    // First for the request itself, then for all of it.
    for (let attempt = 0; attempt < 3 && statuses.lastIndexOf(201) === 0; attempt += 1) await ask();
    expect(statuses.at(1)).toBe(429);
    expect(statuses.at(-1)).toBe(201);
  }
});

describe('for 250 devices', () => {
  let many: string[];
  let owner: TestUser;
  beforeAll(async () => {
    owner = await server.signUp('many');
    const own = createServiceClient('many', (asked) => server.request('direct', owner, asked));
    many = (await Promise.all(Array.from({ length: 250 }, () => own.device()))).map(({ id }) => id);
  });
  const ask = async () => {
    const body = { resource_ids: many };
    const answer = await server.request('gateway', owner, { method: 'POST', path: '/devices/keys', body });
    return { status: answer.status, body: (await answer.json()) as CreatedDeviceKeys & { code?: string } };
  };
  const amount = async () =>
    (await server.db.read({ sql: `SELECT 1 FROM api_keys WHERE user_id = 'many' AND resource_id IS NOT NULL` })).length;
  const isCreating = (statements: readonly { sql: string }[]) =>
    statements.some(({ sql }) => sql.includes('INSERT INTO api_keys'));

  test('the keys are three writes with one statement for each, and other writes run in between', async () => {
    const { write } = server.db;
    const inserts: number[] = [];
    const order: string[] = [];
    vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (!isCreating(statements)) return write(statements);
      inserts.push(statements.filter(({ sql }) => sql.includes('INSERT INTO api_keys')).length);
      const written = await write(statements);
      order.push('keys');
      if (inserts.length === 1) void client.device().then(() => order.push('another'));
      return written;
    });
    const { status, body } = await ask();
    expect([status, body.items.length, body.failed]).toEqual([201, 250, []]);
    expect(inserts).toEqual([1, 1, 1]);
    expect(order.slice(0, 1)).toEqual(['keys']);
    await expect.poll(() => order).toContain('another');
    expect(new Set(body.items.map(({ key }) => key)).size).toBe(250);
    for (const index of [0, 99, 100, 249]) {
      const { device: of, key } = body.items[index]!;
      expect((await withKey(key, { path: `/resources/${of.id}` })).status).toBe(200);
    }
  });

  test('beyond the quota none is created, and after a failed write those of the others are in the answer', async () => {
    const before = await amount();
    await server.db.write([
      { sql: `UPDATE usage SET amount = amount + 9600 WHERE user_id = 'many' AND kind = 'device_keys'` },
    ]);
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'key.too_many' } });
    expect(await amount()).toBe(before);
    await server.db.write([
      { sql: `UPDATE usage SET amount = amount - 9600 WHERE user_id = 'many' AND kind = 'device_keys'` },
    ]);
    const { write } = server.db;
    let writes = 0;
    vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (isCreating(statements) && ++writes === 2) throw new StorageError('away', 'away');
      return write(statements);
    });
    const { status, body } = await ask();
    expect([status, body.items.length]).toEqual([201, 100]);
    expect(body.failed).toEqual(many.slice(100).map((id) => ({ id, code: 'storage.away' })));
    expect(await amount()).toBe(before + 100);
  });

  test.each([
    { kind: 'full', code: 'storage.full', lines: 0 },
    { kind: 'unexpected', code: 'server.failed', lines: 1 },
  ] as const)('after a write whose failure is $kind, the others have $code', async ({ kind, code, lines }) => {
    const { write } = server.db;
    let writes = 0;
    vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (isCreating(statements) && ++writes === 2) throw new StorageError(kind, 'the second write');
      return write(statements);
    });
    const { status, body } = await ask();
    expect([status, body.items.length]).toEqual([201, 100]);
    expect(body.failed).toEqual(many.slice(100).map((id) => ({ id, code })));
    expect(server.logged.filter((line) => line.includes('the second write'))).toHaveLength(lines);
    server.logged.length = 0;
  });
});
