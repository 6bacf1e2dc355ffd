// stores: SQLite, PostgreSQL in the long run
/** The operator's commands, in the server. `cli.test.ts` has their arguments and their output. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ActivityPage, PasswordLink } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import type { Operator } from './operator.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import type { Database } from '../../core/store/database.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { importAll } from '../../tests/many-devices.fixture.ts';
import { createServiceClient, outcomeOf } from '../../tests/service-client.fixture.ts';
import {
  createTestServer,
  eventRecorder,
  origin,
  password,
  type TestServer,
  type TestUser,
} from '../../tests/test-server.fixture.ts';

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
    names.flatMap((name, index) => {
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
                VALUES ($1, $1, 'credential', $1, $3, $2, $2)`,
          // Who signs in by a provider has no password.
          params: [id, at, index === 0 ? null : 'x'],
        },
      ]);
    }),
  );
  const dora = await server.signUp('listed-dora');
  const { users } = await operator.readStats();
  await operator.call({ command: 'makeDemo', given: { user: 'listed-dora' } });
  expect([users, (await operator.readStats()).users]).toEqual([
    (await operator.listUsers({})).total,
    (await operator.listUsers({})).total,
  ]);
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
  await operator.call({ command: 'removeDemo', given: { user: 'listed-dora' } });
});

test('a user is active who only uses a key', async () => {
  const eve = await server.signUp('key-eve');
  const list = async () => (await operator.listUsers({ q: 'key-eve' })).items[0]!.active_at;
  await server.db.write([
    { sql: `DELETE FROM session WHERE "userId" = (SELECT id FROM "user" WHERE username = 'key-eve')` },
  ]);
  expect(await list()).toBeNull();
  expect(await status(eve)).toBe(200);
  await expect.poll(list).toContain(server.now().toISOString().slice(0, 10));
});

test('a command without a server runs nothing of what a server does, except an action that it starts', async () => {
  const statements: string[] = [];
  const db: Database = {
    ...server.db,
    read: (query) => (statements.push(query.sql), server.db.read(query)),
    write: (given) => (statements.push(...given.map(({ sql }) => sql)), server.db.write(given)),
  };
  const timers = vi.spyOn(globalThis, 'setInterval');
  const command = await server.startAnother(db, { isCommand: true });
  expect(timers.mock.calls.map(([, ms]) => ms)).not.toContain(5000);
  timers.mockRestore();
  await command.operator.readStats();
  const background = () =>
    statements.filter((sql) => /(FROM|UPDATE|INTO) (actions|leases|webhook_deliveries)/.test(sql));
  expect(background()).toEqual([]);
  const devices = [{ name: 'Sensor', machine_type: 'bug' as const }];
  expect(await importAll({ operator: command.operator, user: ann.name, devices })).toEqual([]);
  expect(background()).not.toEqual([]);
  await command.close();
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
    users: users + 1,
    sessions: sessions + 1,
    resources: resources + 1,
    swarms: swarms + 1,
    keys: keys + 1,
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
  const [key, none] = await operator.listKeys({ user: 'dan' });
  expect(none).toBeUndefined();
  expect(await status(dan)).toBe(200);
  await operator.revokeKey({ id: key!.id });
  expect(await status(dan)).toBe(401);
  await expect(operator.revokeKey({ id: key!.id })).rejects.toThrow('API key not found');
  const { key: other } = await operator.createKey({ user: 'dan', name: 'other' });
  const { items } = await clientOf({ ...dan, key: other }).get<ActivityPage>('/activity');
  expect(items.map(({ kind, actor }) => [kind, actor])).toContainEqual(['account.key_revoked', '(operator)']);
  const device = await clientOf({ ...dan, key: other }).device();
  const ofDevice = await operator.createDeviceKey({ device: device.id, name: 'sensor' });
  const [, listed] = await operator.listKeys({ user: 'dan' });
  expect(listed).toMatchObject({ id: ofDevice.id, device: { id: device.id, name: device.name } });
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
  const changes = async () =>
    (await server.db.read({ sql: `SELECT 1 FROM feed WHERE kind = 'key.changed' AND owner = 'fay'` })).length;
  const before = await changes();

  await operator.disableUser({ name: 'Fay' });
  expect([await status(fay), await status(fay, 'gateway')]).toEqual([401, 401]);
  // One for all keys, of which there may be thousands.
  expect((await changes()) - before).toBe(1);
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
    kind: 'delete',
    about: {},
    wait: 60,
    items: [{ id: device.id, name: device.name }],
  });
  await operator.disableUser({ name: 'jon' });
  const sql = 'SELECT state FROM actions WHERE id = $1';
  expect(await server.db.read({ sql, params: [id] })).toEqual([{ state: 'paused' }]);
});

test('an action of a disabled user that is being filled is not executed', async () => {
  const kay = await server.signUp('kay');
  const browser = createServiceClient(kay.name, (asked) => server.request('gateway', kay, asked));
  const device = await clientOf(kay).device();
  const { write } = server.db;
  const held = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
    if (statements.some(({ sql }) => sql.includes('INSERT INTO action_parts'))) {
      held.mockRestore();
      await operator.disableUser({ name: 'kay' });
    }
    return write(statements);
  });
  const filter = { list: 'devices', query: '' } as const;
  const started = await actionsOf(browser).send({ kind: 'delete', about: {}, wait: 0, filter, expected: 1 });
  expect(await outcomeOf(started)).toBe('404 action.not_found');
  expect(await server.db.read({ sql: `SELECT 1 FROM actions WHERE user_id = 'kay'` })).toEqual([]);
  expect((await clientOf(kay).request({ path: `/resources/${device.id}` })).status).toBe(401);
});

test('gives a user the role of an operator, and takes it away', async () => {
  await operator.setRole({ name: 'ann', role: 'operator' });
  expect(await operator.showUser({ name: 'ann' })).toMatchObject({ role: 'operator' });
  await operator.setRole({ name: 'ann', role: 'none' });
  expect(await operator.showUser({ name: 'ann' })).toMatchObject({ role: null });
  await expect(operator.setRole({ name: 'nobody', role: 'operator' })).rejects.toThrow('User not found');
});

test('examines the setup: the clock only on PostgreSQL, which has one of its own', async () => {
  const found = await operator.examine();
  expect(found.some(({ part }) => part === 'clock')).toBe(isOnPostgres);
  expect(found.find(({ part }) => part === 'address')).toMatchObject({ state: 'warning' });
});

const postAuth = (path: string, body: object) =>
  server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  });

describe('a link to choose a new password', () => {
  const codeOf = async (name: string) => {
    const { url } = await operator.createLink({ name });
    const [, code] = /^http:\/\/localhost:3000\/sign-in#link=(.+)$/.exec(url)!;
    return code!;
  };
  const open = (code: string) => postAuth('/auth/password-link', { code });
  const use = (code: string, newPassword = 'a better password') =>
    postAuth('/auth/password-link/use', { code, newPassword });

  test('works once, and ends all sessions and all other links', async () => {
    const kim = await server.signUp('kim');
    const [code, other] = [await codeOf('Kim'), await codeOf('kim')];
    const opened = await open(code);
    expect([opened.status, await opened.json()]).toEqual([200, { user_id: 'kim' }]);
    expect(await outcomeOf(await use(code, 'short'))).toBe('400 password.too_weak');
    expect((await use(code)).status).toBe(204);
    expect(await status(kim, 'gateway')).toBe(401);
    for (const ended of [code, other]) {
      expect(await outcomeOf(await open(ended))).toBe('404 password_link.not_found');
      expect(await outcomeOf(await use(ended))).toBe('404 password_link.not_found');
    }
    expect(await outcomeOf(await signIn('kim'))).toBe('401 sign_in.wrong_password');
    const signedIn = await postAuth('/auth/sign-in/username', { username: 'kim', password: 'a better password' });
    expect(signedIn.status).toBe(200);
    const { items } = await clientOf(kim).get<ActivityPage>('/activity');
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'account.recovered', actor: 'kim', detail: expect.stringMatching(/^link\n/) }),
    );
    expect(items.map(({ kind }) => kind)).not.toContain('account.password_changed');
  });

  test('of two uses at once, one works', async () => {
    await server.signUp('lea');
    const code = await codeOf('lea');
    const statuses = await Promise.all([use(code), use(code)].map(async (answer) => (await answer).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 404]);
  });

  test('ends after an hour, or when the user is disabled, and cannot be forged', async () => {
    await server.signUp('max');
    const code = await codeOf('max');
    const [name, expires, mac] = code.split('.') as [string, string, string];
    const forged = [
      `${name}.${Number(expires) + 1}.${mac}`,
      `ann.${expires}.${mac}`,
      `no-such-user.${expires}.${mac}`,
      `${name}.${expires}.${'A'.repeat(43)}`,
      `${name}.${expires}`,
      '',
    ];
    for (const each of forged) expect(await outcomeOf(await open(each))).toBe('404 password_link.not_found');
    await operator.disableUser({ name: 'max' });
    expect(await outcomeOf(await use(code))).toBe('404 password_link.not_found');
    await expect(operator.createLink({ name: 'max' })).rejects.toThrow('The user is disabled, or has no password');
    await operator.enableUser({ name: 'max' });
    expect((await open(code)).status).toBe(200);
    server.wait(hourMs);
    expect(await outcomeOf(await use(code))).toBe('404 password_link.not_found');
  });

  test('ends when a backup is restored, which has the old password again', async () => {
    await using copy = await createTestServer();
    await copy.signUp('ann');
    const { url } = await copy.app.operator.createLink({ name: 'ann' });
    await adoptCopy({ db: copy.db });
    await using _restored = await copy.restart();
    const body = JSON.stringify({ code: url.split('#link=')[1] });
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const opened = await copy.fetch('/auth/password-link', { method: 'POST', headers, body });
    expect(await outcomeOf(opened)).toBe('404 password_link.not_found');
  });

  test('is not tried by guessing: an address has a limit', async () => {
    await using strict = await createTestServer({ rateLimit: 1 });
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const tried = await Promise.all(
      Array.from({ length: 11 }, (_, index) =>
        strict.fetch('/auth/password-link', { method: 'POST', headers, body: JSON.stringify({ code: `x${index}` }) }),
      ),
    );
    expect(tried.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 10 }, () => 404),
      429,
    ]);
  });
});

describe('a link for a lost password, by an operator on the page', () => {
  const link = (user: TestUser, name: string) =>
    server.request('gateway', user, { method: 'POST', path: `/operator/users/${name}/link`, body: {} });
  const signUpOperator = async (name: string) => {
    const user = await server.signUp(name);
    await operator.setRole({ name, role: 'operator' });
    return user;
  };

  test('is made; the user is told, and the log has it', async () => {
    const [pia, quin] = [await signUpOperator('pia'), await server.signUp('quin')];
    expect(await outcomeOf(await link(quin, 'pia'))).toBe('403 operator.required');
    expect(await outcomeOf(await link(pia, 'nobody-here'))).toBe('404 user.not_found');
    const answer = await link(pia, 'Quin');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { url } = (await answer.json()) as PasswordLink;
    const body = { code: url.split('#link=')[1], newPassword: 'a better password' };
    expect((await postAuth('/auth/password-link/use', body)).status).toBe(204);
    const { items } = await clientOf(quin).get<ActivityPage>('/activity');
    expect(items.filter(({ kind }) => kind === 'account.link_made')).toMatchObject([{ actor: '(operator)' }]);
    const lines = server.logged.filter((line) => line.includes('"operator":"pia"'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'info', action: 'link', user: 'quin' }]);
    expect(server.logged.join('')).not.toContain(body.code);
  });

  test('is never made for an operator, also not for oneself, nor for a disabled user', async () => {
    const rea = await signUpOperator('rea');
    await signUpOperator('sid');
    await server.signUp('tom');
    await operator.disableUser({ name: 'tom' });
    expect(await outcomeOf(await link(rea, 'sid'))).toBe('403 user.is_operator');
    expect(await outcomeOf(await link(rea, 'rea'))).toBe('403 user.is_operator');
    expect(await outcomeOf(await link(rea, 'tom'))).toBe('409 user.no_password');
  });

  test.each([
    ['the user becomes an operator', { name: 'uma', role: 'operator' }, '403 user.is_operator'],
    ['the operator loses the role', { name: 'val', role: 'none' }, '403 operator.required'],
  ] as const)('is not made if %s meanwhile', async (_what, change, expected) => {
    const names = { uma: `uma-${change.role}`, val: `val-${change.role}` };
    const val = await signUpOperator(names.val);
    await server.signUp(names.uma);
    const { write } = server.db;
    const held = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (statements.some(({ params }) => params?.includes('account.link_made'))) {
        held.mockRestore();
        await operator.setRole({ name: names[change.name], role: change.role });
      }
      return write(statements);
    });
    expect(await outcomeOf(await link(val, names.uma))).toBe(expected);
    const entries = await server.db.read({
      sql: `SELECT 1 FROM activity WHERE kind = 'account.link_made' AND user_id = '${names.uma}'`,
    });
    expect(entries).toEqual([]);
  });
});

test('an operator sees the page until the role is taken away, and what happens there is logged', async () => {
  const [nia, oda] = await Promise.all(['nia', 'oda'].map((name) => server.signUp(name)));
  const ask = (path: string, method = 'GET') => server.request('gateway', nia, { method, path });
  expect(await outcomeOf(await ask('/operator/users'))).toBe('403 operator.required');
  await operator.setRole({ name: 'nia', role: 'operator' });
  expect(await (await ask('/account')).json()).toMatchObject({ role: 'operator' });
  expect(await (await ask('/operator/users?q=od')).json()).toMatchObject({ total: 1, items: [{ user_id: 'oda' }] });
  expect(await outcomeOf(await ask('/operator/users/nobody'))).toBe('404 user.not_found');
  expect((await ask('/operator/users/oda/disable', 'POST')).status).toBe(204);
  expect([await status(oda!), await status(oda!, 'gateway')]).toEqual([401, 401]);
  expect(
    server.logged.filter((line) => line.includes('"operator":"nia"')).map((line) => JSON.parse(line)),
  ).toMatchObject([{ level: 'info', action: 'disable', user: 'oda' }]);
  expect(await (await ask('/operator/users?state=disabled')).text()).toContain('"oda"');
  await operator.setRole({ name: 'nia', role: 'none' });
  expect(await outcomeOf(await ask('/operator/stats'))).toBe('403 operator.required');
  expect(await outcomeOf(await server.request('direct', nia, { path: '/operator/users' }))).toBe('404 route.not_found');
});
