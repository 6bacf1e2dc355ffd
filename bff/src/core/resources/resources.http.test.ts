// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Resource } from '../../contract.ts';
import { dayMs, hourMs } from '../limits/durations.ts';
import {
  createTestServer,
  type RequestOptions,
  type TestServer,
  type TestUser,
} from '../../tests/test-server.fixture.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  user = await server.signUp('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const request = (asked: RequestOptions) => server.request('direct', user, asked);
const post = (body: object, headers = {}) => request({ method: 'POST', path: '/resources', body, headers });
const put = (id: string, body: object, headers = {}) =>
  request({ method: 'PUT', path: `/resources/${id}`, body, headers });
const list = async () => (await (await request({ path: '/resources' })).json()) as Resource[];
const create = async (body = {}) => (await (await post({ name: 'a', machine_type: 'pc', ...body })).json()) as Resource;

describe('lists', () => {
  test('are oldest first, ties by id', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => create()));
    const listed = await list();
    const order = (resource: Resource) => resource.created_at + resource.id;
    expect(listed.map(order)).toEqual(listed.map(order).toSorted());
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  });

  test('of two users have different ETags, because they may share a browser', async () => {
    const [first, second] = await Promise.all(['cleo', 'dan'].map((name) => server.signUp(name)));
    const given = await server.request('gateway', first, { path: '/resources' });
    const headers = { 'if-none-match': given.headers.get('etag')! };
    expect((await server.request('gateway', first, { path: '/resources', headers })).status).toBe(304);
    expect((await server.request('gateway', second, { path: '/resources', headers })).status).toBe(200);
  });

  test('return every number as it was sent', async () => {
    const positions = [0.1 + 0.2, 1e-7, -179.999999999999, 12, 5e-324, -0.5].map((longitude) => ({
      longitude,
      latitude: 1 / 3,
    }));
    const made = await Promise.all(positions.map((position) => create({ position })));
    const listed = new Map((await list()).map((resource) => [resource.id, resource.position]));
    expect(made.map(({ id }) => listed.get(id))).toEqual(positions);
  });

  test('return every text as it was sent', async () => {
    const name = '"\\\u2028<b>\n\t\u007e é 観 🛰️ ‮ &amp;';
    const { id } = await create({ name, description: name });
    expect((await list()).find((resource) => resource.id === id)).toMatchObject({ name, description: name });
  });
});

describe('times', () => {
  test('modified_at is never before created_at or its previous value, even when the clock is set back', async () => {
    const { id, created_at } = await create();
    server.wait(-hourMs);
    const first = (await (await put(id, {})).json()) as Resource;
    expect(first.modified_at).toBe(created_at);
    server.wait(2 * hourMs);
    const second = (await (await put(id, {})).json()) as Resource;
    server.wait(-hourMs);
    const third = (await (await put(id, {})).json()) as Resource;
    expect(third.modified_at).toBe(second.modified_at);
  });
});

describe('Idempotency-Key', () => {
  test('repeats the response without a second write', async () => {
    const body = { name: 'once', machine_type: 'pc' };
    const answers = [];
    for (let time = 0; time < 3; time++) answers.push(await (await post(body, { 'idempotency-key': 'k-1' })).text());
    expect(new Set(answers).size).toBe(1);
    expect((await list()).filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  test('a request in flight causes a 409, and one resource is created', async () => {
    const body = { name: 'crowd', machine_type: 'pc' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body, { 'idempotency-key': 'k-2' })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    expect((await list()).filter(({ name }) => name === 'crowd')).toHaveLength(1);
  });

  test('another user can use the same key', async () => {
    const other = await server.signUp('other');
    const asked = {
      method: 'POST',
      path: '/resources',
      body: { name: 'mine', machine_type: 'pc' },
      headers: { 'idempotency-key': 'k-3' },
    };
    const [mine, theirs] = await Promise.all([
      server.request('direct', user, asked),
      server.request('direct', other, asked),
    ]);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  test('a rejected body does not use up the key', async () => {
    expect((await post({ name: '' }, { 'idempotency-key': 'k-4' })).status).toBe(400);
    expect((await post({ name: 'a', machine_type: 'pc' }, { 'idempotency-key': 'k-4' })).status).toBe(201);
  });

  test('expires after 24 hours', async () => {
    await post({ name: 'day', machine_type: 'pc' }, { 'idempotency-key': 'k-5' });
    server.wait(dayMs + 1);
    expect((await post({ name: 'another day', machine_type: 'pc' }, { 'idempotency-key': 'k-5' })).status).toBe(201);
    server.wait(dayMs + 1);
    await server.app.tidy();
    expect((await server.db.read({ sql: 'SELECT count(*) AS count FROM idempotency' }))[0]).toMatchObject({ count: 0 });
  });
});

describe('concurrent requests', () => {
  test('that update different fields lose no update', async () => {
    const { id } = await create();
    await Promise.all([
      put(id, { name: 'renamed' }),
      ...Array.from({ length: 50 }, (_, step) => put(id, { position: { longitude: step, latitude: 1 } })),
      put(id, { description: 'described' }),
    ]);
    const now = (await (await request({ path: `/resources/${id}` })).json()) as Resource;
    expect(now).toMatchObject({ name: 'renamed', description: 'described' });
    expect(now.position).toBeDefined();
  });

  test('that update with the same If-Match: exactly one succeeds', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, step) => put(id, { name: `n${step}` }, { 'if-match': '"1"' })),
    );
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49);
    const winner = (await taken[0]!.json()) as Resource;
    expect(await (await request({ path: `/resources/${id}` })).json()).toEqual(winner);
  });

  test('that delete one resource: exactly one gets 204', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => request({ method: 'DELETE', path: `/resources/${id}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      204,
      ...Array<number>(19).fill(404),
    ]);
  });
});

test('a destroyed resource leaves its swarms', async () => {
  const { id } = await create();
  const at = server.now().toISOString();
  await server.db.write([
    {
      sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ('s1', 'ann', 'Ring', 'of sensors', 1, $1, 1)`,
      params: [at],
    },
    {
      sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('s1', $1, 'both', $2)`,
      params: [id, at],
    },
  ]);
  const swarms = await (await request({ path: `/resources/${id}/swarms` })).json();
  expect(swarms).toEqual([
    {
      id: 's1',
      user_id: 'ann',
      name: 'Ring',
      description: 'of sensors',
      created_at: at,
      public: true,
      resources: [
        {
          resource_id: id,
          resource_type: 'both',
          user_id: 'ann',
          url: `http://localhost:3000/service/resources/${id}`,
        },
      ],
    },
  ]);
  await request({ method: 'DELETE', path: `/resources/${id}` });
  expect((await server.db.read({ sql: 'SELECT count(*) AS count FROM memberships' }))[0]).toMatchObject({ count: 0 });
});
