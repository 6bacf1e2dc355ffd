/** The operator's commands, in the server. `cli.test.ts` has their arguments and their output. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityPage } from '../contract.ts';
import type { Operator } from '../operator/operator.ts';
import { actionsOf } from './actions.fixture.ts';
import { createServiceClient, outcomeOf } from './service-client.fixture.ts';
import {
  createTestServer,
  eventRecorder,
  origin,
  password,
  type TestServer,
  type TestUser,
} from './test-server.fixture.ts';

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
    disabled_at: null,
    role: null,
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

const signIn = (username: string) =>
  server.fetch('/auth/sign-in/username', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username, password }),
  });

test('a disabled user is out: no session, key, stream or sign-in; enabled, the keys are valid', async () => {
  const fay = await server.signUp('fay');
  const stream = eventRecorder();
  const isClosed = new Promise<void>((resolve) => {
    const { once } = stream.outgoing;
    stream.outgoing.once = ((event: 'close', listener: () => void) =>
      once.call(stream.outgoing, event, () => {
        listener();
        resolve();
      })) as typeof once;
  });
  const headers = { 'x-serviceapikey': fay.key };
  await server.app.fetch(new Request(`${origin}/service/events`, { headers }), { outgoing: stream.outgoing });
  expect([await status(fay), await status(fay, 'gateway')]).toEqual([200, 200]);

  await operator.disableUser({ name: 'Fay' });
  expect([await status(fay), await status(fay, 'gateway')]).toEqual([401, 401]);
  // Refused keys are remembered.
  expect(await status(fay)).toBe(401);
  await isClosed;
  const wrong = async (name: string) => (await (await signIn(name)).text()).replace(/"request_id":"[^"]*"/, '');
  expect(await wrong('fay')).toBe(await wrong('no-such-user'));
  expect(await operator.listUsers({ disabled: true })).toMatchObject({ total: 1, items: [{ user_id: 'fay' }] });
  expect((await operator.readStats()).disabled).toBe(1);
  // Twice is no error, and keeps the time.
  const { disabled_at } = await operator.showUser({ name: 'fay' });
  await operator.disableUser({ name: 'fay' });
  expect(await operator.showUser({ name: 'fay' })).toMatchObject({ disabled_at, sessions: 0 });

  await operator.enableUser({ name: 'fay' });
  expect([await status(fay), await status(fay, 'gateway')]).toEqual([200, 401]);
  expect((await signIn('fay')).status).toBe(200);
  const { items } = await clientOf(fay).get<ActivityPage>('/activity');
  expect(items.filter(({ actor }) => actor === '(operator)').map(({ kind }) => kind)).toEqual([
    'account.enabled',
    'account.disabled',
    'account.key_created',
  ]);
});

test('a session that is created while its user is disabled is not valid, also not later', async () => {
  const gil = await server.signUp('gil');
  const row = `SELECT id, "expiresAt", token, "createdAt", "updatedAt", "userId" FROM session
    WHERE "userId" = (SELECT id FROM "user" WHERE username = 'gil')`;
  const [session] = await server.db.read<Record<string, string>>({ sql: row });
  await operator.disableUser({ name: 'gil' });
  const columns = Object.keys(session!);
  await server.db.write([
    {
      sql: `INSERT INTO session (${columns.map((name) => `"${name}"`).join(', ')})
            VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      params: Object.values(session!),
    },
  ]);
  expect(await status(gil, 'gateway')).toBe(401);
  await operator.enableUser({ name: 'gil' });
  expect(await status(gil, 'gateway')).toBe(401);
});

test('devices and memberships of a disabled user stay, and an invitation gets the same answer', async () => {
  const [hal, ida] = await Promise.all(['hal', 'ida'].map((name) => server.signUp(name)));
  const swarm = await clientOf(ida!).swarm();
  const [member, other] = [await clientOf(hal!).device(), await clientOf(hal!).device()];
  await clientOf(hal!).accept(await clientOf(ida!).invite(swarm, member));
  const before = await outcomeOf(await clientOf(ida!).send(swarm, other, 'consumer'));
  await operator.disableUser({ name: 'hal' });
  expect(await outcomeOf(await clientOf(ida!).send(swarm, other, 'producer'))).toBe(before);
  expect(await clientOf(ida!).get<object[]>(`/swarms/${swarm.id}/resources`)).toMatchObject([
    { resource_id: member.id },
  ]);
});

test('actions of a disabled user are paused', async () => {
  const jon = await server.signUp('jon');
  const browser = createServiceClient(jon.name, (asked) => server.request('gateway', jon, asked));
  const device = await clientOf(jon).device();
  const { id } = await actionsOf(browser).start({
    ...{ kind: 'delete', about: {}, wait: 60, items: [{ id: device.id, name: device.name }] },
  });
  await operator.disableUser({ name: 'jon' });
  const sql = 'SELECT state FROM actions WHERE id = $1';
  expect(await server.db.read({ sql, params: [id] })).toEqual([{ state: 'paused' }]);
});

test('gives a user the role of an operator, and takes it away', async () => {
  await operator.setRole({ name: 'ann', role: 'operator' });
  expect(await operator.showUser({ name: 'ann' })).toMatchObject({ role: 'operator' });
  await operator.setRole({ name: 'ann', role: 'none' });
  expect(await operator.showUser({ name: 'ann' })).toMatchObject({ role: null });
  await expect(operator.setRole({ name: 'nobody', role: 'operator' })).rejects.toThrow('User not found');
});
