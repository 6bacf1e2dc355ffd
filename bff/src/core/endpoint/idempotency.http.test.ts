// stores: SQLite, PostgreSQL
/** `Idempotency-Key` for creations around swarms. Those of resources are in resources.http.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem, Resource, Swarm } from '../../contract.ts';
import { dayMs, hourMs } from '../limits/durations.ts';
import { createIdempotency } from './idempotency.store.ts';
import { outcomeOf, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let own: Resource;
let theirs: Resource;
let swarm: Swarm;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann');
  theirs = await (await signUpClient(server, 'ben')).device();
  [own, swarm] = await Promise.all([ann.device(), ann.swarm()]);
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the table of idempotency keys', () => {
  const keysIn = (idempotency: ReturnType<typeof createIdempotency>) => (userId: string, key: string, answer: string) =>
    idempotency.once({
      userId,
      key,
      operation: 'test',
      text: JSON.stringify(key),
      async act(claim) {
        await server.db.write(claim(() => answer));
        return answer;
      },
    });

  test('is bounded per user by deleting that user’s oldest keys', async () => {
    const send = keysIn(createIdempotency({ db: server.db, now: server.now, keysOfUser: 3 }));
    const keys = ['k1', 'k2', 'k3', 'k4', 'k5'];
    await send('ben', 'k1', 'first');
    for (const key of keys) {
      await send('ann', key, 'first');
      server.wait(1);
    }
    expect(await send('ben', 'k1', 'again')).toBe('first');
    const again = [];
    for (const key of keys.toReversed()) again.push(await send('ann', key, 'again'));
    expect(again).toEqual(['first', 'first', 'first', 'again', 'again']);
  });

  test('loses keys after 24 hours, in chunks between other writes', async () => {
    const idempotency = createIdempotency({ db: server.db, now: server.now });
    const send = keysIn(idempotency);
    server.wait(dayMs);
    // No more at once: a read waits 5 s for a connection, which is short on a busy machine.
    for (let from = 0; from < 2500; from += 25) {
      await Promise.all(Array.from({ length: 25 }, (_, index) => send('cy', `k${from + index}`, 'first')));
    }
    server.wait(12 * hourMs);
    await send('cy', 'new', 'first');
    server.wait(12 * hourMs);
    let commits = 0;
    const unsubscribe = server.db.onCommit(async () => void (commits += 1));
    await idempotency.purge();
    unsubscribe();
    expect(commits).toBeGreaterThanOrEqual(3);
    expect(await server.db.read({ sql: 'SELECT key FROM idempotency' })).toEqual([{ key: 'new' }]);
  });
});

const kinds = {
  'a device': () => ({
    path: '/resources',
    body: { name: 'Once', machine_type: 'pc', description: '', position: { longitude: 1.5, latitude: -2 } },
    made: async () => (await ann.get<Resource[]>('/resources')).filter(({ name }) => name === 'Once').length,
  }),
  'a swarm': () => ({
    path: '/swarms',
    body: { name: 'Once', description: '', resources: [{ resource_id: own.id, resource_type: 'both' }] },
    made: async () => (await ann.get<Swarm[]>('/swarms')).filter(({ name }) => name === 'Once').length,
  }),
  'a member': () => ({
    path: `/swarms/${swarm.id}/resources`,
    body: { resource_id: own.id, resource_type: 'consumer' },
    made: async () => (await ann.get<object[]>(`/swarms/${swarm.id}/resources`)).length,
  }),
  'an invitation': () => ({
    path: `/swarms/${swarm.id}/invitations`,
    body: { to: 'ben', resource_id: theirs.id, resource_type: 'consumer' },
    made: async () => (await ann.get<object[]>(`/swarms/${swarm.id}/invitations`)).length,
  }),
};

/** The same JSON with its fields in the opposite order, and with white space. */
function reordered(body: unknown): string {
  const reverse = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value;
  return JSON.stringify(body, reverse, 2);
}

describe.each(Object.entries(kinds))('%s', (kind, of) => {
  test('is the same request with its fields in another order, and another request with another value', async () => {
    const { path, body } = of();
    const headers = { 'idempotency-key': `order-${kind.replaceAll(' ', '-')}`, 'content-type': 'application/json' };
    const send = (sent: unknown) => ann.request({ method: 'POST', path, body: sent, headers });
    const first = await send(body);
    const again = await send(reordered(body));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    const other = await send(JSON.stringify(body).replace('"consumer"', '"producer"').replace('Once', 'Other'));
    expect((await other.json()) as Problem).toMatchObject({ status: 400, code: 'idempotency.other_body' });
    await server.db.write([
      { sql: `DELETE FROM resources WHERE name = 'Once'` },
      { sql: `DELETE FROM swarms WHERE name = 'Once'` },
      { sql: 'DELETE FROM memberships' },
      { sql: 'DELETE FROM invitations' },
    ]);
  });

  test('is created once by many requests with the same key, which get the same response or 409', async () => {
    const { path, body, made } = of();
    const headers = { 'idempotency-key': kind.replaceAll(' ', '-') };
    const request = () => ann.request({ method: 'POST', path, body, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, request));
    const inFlight = answers.filter(({ status }) => status === 409);
    expect(await Promise.all(inFlight.map(async (answer) => (await answer.json()) as object))).toEqual(
      inFlight.map(() => expect.objectContaining({ code: 'idempotency.in_flight' }) as object),
    );
    const done = [...answers.filter(({ status }) => status === 201), await request()];
    expect(done.length + inFlight.length).toBe(21);
    const same = await Promise.all(
      done.map(async (answer) => `${answer.headers.get('location')} ${await answer.text()}`),
    );
    expect(new Set(same).size).toBe(1);
    expect(await made()).toBe(1);
  });
});

test('the key of an invitation is not for another swarm', async () => {
  const other = await ann.swarm();
  const sent = { to: 'ben', resource_id: theirs.id, resource_type: 'consumer' };
  const send = ({ id }: Swarm) =>
    ann.request({
      method: 'POST',
      path: `/swarms/${id}/invitations`,
      body: sent,
      headers: { 'idempotency-key': 'one-swarm' },
    });
  expect((await send(swarm)).status).toBe(201);
  expect(await outcomeOf(await send(other))).toBe('400 idempotency.other_body');
  expect(await ann.get(`/swarms/${other.id}/invitations`)).toEqual([]);
});

test('what is stored for a key does not grow with the request', async () => {
  const description = 'x'.repeat(2000);
  const resources = await Promise.all(
    Array.from({ length: 20 }, async () => ({ resource_id: (await ann.device()).id, resource_type: 'both' })),
  );
  const made = await ann.request({
    method: 'POST',
    path: '/swarms',
    body: { name: 'Large', description, resources },
    headers: { 'idempotency-key': 'large' },
  });
  expect(made.status).toBe(201);
  await ann.request({
    method: 'POST',
    path: '/resources',
    body: { name: 'Large', machine_type: 'pc', description },
    headers: { 'idempotency-key': 'large-device' },
  });
  const stored = await server.db.read<{ answer: string }>({
    sql: "SELECT answer FROM idempotency WHERE key LIKE 'large%'",
  });
  expect(stored).toHaveLength(2);
  for (const { answer } of stored) expect(answer.length).toBeLessThan(100);
});
