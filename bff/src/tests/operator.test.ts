/** The operator's commands, in the server. `cli.test.ts` has their arguments and their output. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityPage } from '../contract.ts';
import type { Operator } from '../operator/operator.ts';
import { createServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from './test-server.fixture.ts';

let server: TestServer;
let operator: Operator;
let ann: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  ({ operator } = server.app);
  ann = await server.signUp('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const status = async (user: TestUser, entryPoint: 'direct' | 'gateway' = 'direct') =>
  (await server.request(entryPoint, user, { path: '/resources' })).status;
const clientOf = (user: TestUser) => createServiceClient(user.name, (asked) => server.request('direct', user, asked));

test('lists users by name, in pages, without the partners of demos', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `listed-${String(index).padStart(3, '0')}`);
  await Promise.all(
    names.flatMap((name) => {
      const id = `id-${name}`;
      const at = '2026-03-04T12:00:00.000Z';
      return server.db.write([
        {
          sql: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
                VALUES ($1, $2, $1, 0, $3, $3, $2)`,
          params: [id, name, at],
        },
        {
          sql: `INSERT INTO account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
                VALUES ($1, $1, 'credential', $1, 'x', $2, $2)`,
          params: [id, at],
        },
      ]);
    }),
  );
  const dora = await server.signUp('listed-dora');
  await operator.makeDemo({ user: 'listed-dora' });
  const first = await operator.listUsers({ q: 'LISTED-' });
  expect(first).toMatchObject({ total: 121, next: names[99] });
  const second = await operator.listUsers({ q: 'listed-', after: first.next! });
  expect(second).toMatchObject({ total: 121, next: null });
  expect([...first.items, ...second.items].map(({ user_id }) => user_id)).toEqual([...names, dora.name]);
  expect(second.items.at(-1)).toEqual({
    user_id: dora.name,
    created_at: expect.any(String),
    active_at: expect.any(String),
    resources: 48,
  });
  expect(await operator.listUsers({ q: 'no such name' })).toEqual({ items: [], next: null, total: 0 });
  await operator.removeDemo({ user: 'listed-dora' });
});

test('shows what a user has, and counts everything', async () => {
  const before = await operator.readStats();
  const user = await server.signUp('shown');
  await clientOf(user).device();
  await clientOf(user).swarm();
  expect(await operator.showUser({ name: 'Shown' })).toMatchObject({
    user_id: 'shown',
    sessions: 1,
    resources: 1,
    quotas: { resources: { used: 1, allowed: 100_000 }, swarms: { used: 1 }, keys: { used: 1 }, streams: { used: 0 } },
  });
  const { users, sessions, resources, swarms, keys } = before;
  expect(await operator.readStats()).toMatchObject({
    ...{ users: users + 1, sessions: sessions + 1, resources: resources + 1, swarms: swarms + 1, keys: keys + 1 },
  });
  expect(await operator.readLimits({ user: 'shown' })).toMatchObject({ quotas: { keys: 100 }, used: { keys: 1 } });
});

test('ends the sessions of one user, or of all; keys stay valid', async () => {
  const [ben, cleo] = await Promise.all(['ben', 'cleo'].map((name) => server.signUp(name)));
  await operator.signOut({ name: 'ben' });
  expect([await status(ben!, 'gateway'), await status(cleo!, 'gateway')]).toEqual([401, 200]);
  await operator.signOutAll();
  expect([await status(ann, 'gateway'), await status(cleo!, 'gateway')]).toEqual([401, 401]);
  expect([await status(ben!), await status(ann)]).toEqual([200, 200]);
});

test('revokes a key, which the activity of its user shows', async () => {
  const dan = await server.signUp('dan');
  const [key] = await operator.listKeys({ user: 'dan' });
  expect(await status(dan)).toBe(200);
  await operator.revokeKey({ id: key!.id });
  expect(await status(dan)).toBe(401);
  await expect(operator.revokeKey({ id: key!.id })).rejects.toThrow('API key not found');
  const { key: other } = await operator.createKey({ user: 'dan', name: 'other' });
  const { items } = await clientOf({ ...dan, key: other }).get<ActivityPage>('/activity');
  expect(items.map(({ kind, actor }) => [kind, actor])).toContainEqual(['account.key_revoked', '(operator)']);
});

test('deletes an account as its user would', async () => {
  const eve = await server.signUp('eve');
  await clientOf(eve).device();
  await operator.deleteUser({ name: 'eve' });
  expect([await status(eve), await status(eve, 'gateway')]).toEqual([401, 401]);
  const left = { sql: `SELECT 1 FROM resources WHERE user_id = 'eve'` };
  await expect.poll(() => server.db.read(left), { timeout: 60_000 }).toEqual([]);
  await expect(server.signUp('eve')).rejects.toThrow('sign_up.name_taken');
  await expect(operator.deleteUser({ name: 'eve' })).rejects.toThrow('User not found');
});
