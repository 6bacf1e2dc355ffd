// stores: SQLite, PostgreSQL
/** A lost password and a recovery code. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Account, ActivityPage, NewRecoveryCodes } from '../../contract.ts';
import { createServiceClient, outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const clientOf = (user: TestUser) => createServiceClient(user.name, (asked) => server.request('direct', user, asked));
const better = 'a better password';

type Asked = (path: string, init: RequestInit) => Promise<Response>;
const post = (path: string, body: object, fetch: Asked = server.fetch) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  });
const recover = (username: string, code: string, newPassword = better, fetch?: Asked) =>
  post('/auth/recover', { username, code, newPassword }, fetch);
const signIn = async (username: string, typed: string) =>
  (await post('/auth/sign-in/username', { username, password: typed })).status;

async function bodyOf(answer: Response) {
  const { request_id: _, ...body } = (await answer.json()) as { request_id: string };
  return { status: answer.status, ...body };
}

/** A user whose sign-up has shown these codes. */
async function signUp(name: string): Promise<TestUser & { codes: string[]; set: string }> {
  const answer = await post('/auth/sign-up', { username: name, password });
  expect(answer.status).toBe(201);
  const { recovery_codes: codes, set_id: set = '' } = (await answer.json()) as NewRecoveryCodes;
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
  const { key } = await server.app.operator.createKey({ user: name, name: 'test' });
  return { name, key, cookie, codes, set };
}
const ask = (user: TestUser, method = 'GET', body?: object) =>
  server.request('gateway', user, { method, path: '/account/recovery-codes', ...(body && { body }) });
const left = async (user: TestUser) => ((await (await ask(user)).json()) as { left: number }).left;

test('a sign-up shows ten codes, of which only hashes are stored', async () => {
  const ann = await signUp('ann');
  expect(new Set(ann.codes).size).toBe(10);
  for (const code of ann.codes) expect(code).toMatch(/^([2-9a-hjkmnp-z]{4}-){5}[2-9a-hjkmnp-z]{4}$/);
  expect(await left(ann)).toBe(10);
  const rows = JSON.stringify(await server.db.read({ sql: `SELECT * FROM recovery_codes WHERE user_id = 'ann'` }));
  for (const code of ann.codes) for (const text of [code, code.replaceAll('-', '')]) expect(rows).not.toContain(text);
});

test('an old app, which does not show them, and a user of the operator have none', async () => {
  await post('/auth/sign-up/email', { username: 'old', password });
  await server.app.operator.addUser({ name: 'added', password });
  expect(await server.db.read({ sql: `SELECT 1 FROM recovery_codes WHERE user_id IN ('old', 'added')` })).toEqual([]);
});

test('a code sets a password, ends all sessions and replaces the gateway key, and the user is told', async () => {
  const ben = await signUp('ben');
  await server.request('gateway', ben, { path: '/resources' });
  const heldKey = async () => await server.db.read({ sql: `SELECT key_id FROM held_keys WHERE user_id = 'ben'` });
  const before = await heldKey();
  expect(before).toHaveLength(1);
  // As somebody types it from paper.
  const typed = ` ${ben.codes[3]!.toUpperCase().replaceAll('-', ' ')} `;
  expect(await outcomeOf(await recover('Ben ', typed))).toBe('204');
  expect((await ask(ben)).status).toBe(401);
  expect([await signIn('ben', password), await signIn('ben', better)]).toEqual([401, 200]);
  expect(await heldKey()).not.toEqual(before);
  const { items } = await clientOf(ben).get<ActivityPage>('/activity');
  expect(items).toContainEqual(
    expect.objectContaining({ kind: 'account.recovered', detail: expect.stringMatching(/^code\n/) }),
  );
  const logged = server.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'recovered');
  expect(logged).toMatchObject([{ level: 'info', user: 'ben', way: 'code' }]);
  expect(server.logged.join('')).not.toContain(ben.codes[3]);
});

test('each code works once', async () => {
  const cy = await signUp('cyd');
  expect((await recover('cyd', cy.codes[0]!)).status).toBe(204);
  expect(await outcomeOf(await recover('cyd', cy.codes[0]!))).toBe('401 sign_in.wrong_code');
  expect((await recover('cyd', cy.codes[1]!, 'another password')).status).toBe(204);
  expect(await signIn('cyd', 'another password')).toBe(200);
});

test('of two uses at once, also on two processes, one works', async () => {
  const dora = await signUp('dora');
  const another = await server.startAnother(server.db);
  const elsewhere: Asked = (path, init) => Promise.resolve(another.fetch(new Request(`${origin}${path}`, init)));
  const statuses = await Promise.all(
    [undefined, elsewhere, undefined, elsewhere].map(
      async (fetch, index) => (await recover('dora', dora.codes[0]!, `a better password ${index}`, fetch)).status,
    ),
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 401, 401, 401]);
  expect(await signIn('dora', `a better password ${statuses.indexOf(204)}`)).toBe(200);
  await another.close();
});

describe('what is refused', () => {
  test('gets the same answer, without a hash: an unknown name, a wrong code, that of another, a disabled user', async () => {
    const [eva, fay] = [await signUp('eva'), await signUp('fay')];
    await server.app.operator.disableUser({ name: 'fay' });
    const hash = vi.spyOn(crypto, 'scrypt');
    syncBuiltinESMExports();
    const answers = [
      await recover('eva', 'abcd-abcd-abcd-abcd-abcd-abcd'),
      await recover('eva', ''),
      await recover('eva', fay.codes[0]!),
      await recover('fay', fay.codes[0]!),
      await recover('no-such-user', eva.codes[0]!),
      await recover('no name at all', eva.codes[0]!),
    ];
    expect(hash).not.toHaveBeenCalled();
    hash.mockRestore();
    syncBuiltinESMExports();
    const bodies = await Promise.all(answers.map(bodyOf));
    expect(bodies[0]).toMatchObject({ status: 401, code: 'sign_in.wrong_code' });
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    await server.app.operator.enableUser({ name: 'fay' });
    expect((await recover('fay', fay.codes[0]!)).status).toBe(204);
  });

  test('a weak password does not use the code up', async () => {
    const gil = await signUp('gil');
    expect(await outcomeOf(await recover('gil', gil.codes[0]!, 'short'))).toBe('400 password.too_weak');
    expect((await recover('gil', gil.codes[0]!)).status).toBe(204);
  });

  test('a user who is disabled meanwhile keeps the password and the code', async () => {
    const hal = await signUp('hal');
    const { write } = server.db;
    const held = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (statements.some(({ sql }) => sql.includes('DELETE FROM recovery_codes'))) {
        held.mockRestore();
        await server.app.operator.disableUser({ name: 'hal' });
      }
      return write(statements);
    });
    expect(await outcomeOf(await recover('hal', hal.codes[0]!))).toBe('401 sign_in.wrong_code');
    await server.app.operator.enableUser({ name: 'hal' });
    expect(await signIn('hal', password)).toBe(200);
    expect((await recover('hal', hal.codes[0]!)).status).toBe(204);
  });
});

describe('new codes', () => {
  test('replace all, and are in the activity', async () => {
    const jo = await signUp('joe');
    expect((await recover('joe', jo.codes[9]!)).status).toBe(204);
    const answer = await post('/auth/sign-in/username', { username: 'joe', password: better });
    const again = { ...jo, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! };
    expect(await left(again)).toBe(9);
    const made = await ask(again, 'POST', {});
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { recovery_codes: codes } = (await made.json()) as NewRecoveryCodes;
    expect(await left(again)).toBe(10);
    expect(await outcomeOf(await recover('joe', jo.codes[0]!))).toBe('401 sign_in.wrong_code');
    expect((await recover('joe', codes[0]!)).status).toBe(204);
    const { items } = await clientOf(jo).get<ActivityPage>('/activity');
    expect(items.map(({ kind }) => kind)).toContain('account.recovery_codes_made');
  });

  test('of two requests at once, ten codes stay', async () => {
    const kay = await signUp('kay');
    const made = await Promise.all([ask(kay, 'POST', {}), ask(kay, 'POST', {})]);
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(await left(kay)).toBe(10);
  });
});

describe('codes that were shown count as not stored', () => {
  const isUnstored = async (user: TestUser) => {
    const answer = await server.request('gateway', user, { path: '/account' });
    return ((await answer.json()) as Account).unstored_codes === true;
  };
  const say = async (user: TestUser, set_id: string) =>
    outcomeOf(
      await server.request('gateway', user, {
        method: 'PUT',
        path: '/account/recovery-codes/stored',
        body: { set_id },
      }),
    );
  const make = async (user: TestUser) => (await (await ask(user, 'POST', {})).json()) as Required<NewRecoveryCodes>;

  test('in all sessions of the user, until the user says that they are', async () => {
    const lia = await signUp('lia');
    const signedIn = await post('/auth/sign-in/username', { username: 'lia', password });
    const elsewhere = { ...lia, cookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]! };
    for (const session of [lia, elsewhere]) expect(await isUnstored(session)).toBe(true);
    // Also if the answer was lost and the browser asks again.
    for (let times = 0; times < 2; times += 1) expect(await say(lia, lia.set)).toBe('204');
    for (const session of [lia, elsewhere]) expect(await isUnstored(session)).toBe(false);
  });

  test('as long as the newest are not, whatever is said of earlier ones', async () => {
    const mia = await signUp('mia');
    const made = await make(mia);
    expect(await say(mia, mia.set)).toBe('409 recovery_codes.replaced');
    expect(await isUnstored(mia)).toBe(true);
    expect(await say(mia, made.set_id)).toBe('204');
    expect(await isUnstored(mia)).toBe(false);
    await make(mia);
    expect(await isUnstored(mia)).toBe(true);
  });

  test('of two requests at once, only for those that are valid', async () => {
    const ned = await signUp('ned');
    const { write } = server.db;
    let newest = '';
    const held = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (statements.some(({ sql }) => sql.includes('UPDATE recovery_codes'))) {
        held.mockRestore();
        newest = (await make(ned)).set_id;
      }
      return write(statements);
    });
    expect(await say(ned, ned.set)).toBe('409 recovery_codes.replaced');
    expect(await isUnstored(ned)).toBe(true);
    expect(await say(ned, newest)).toBe('204');
  });

  test('but not for another user, nor for one without codes, nor after the last one was used', async () => {
    const [oda, pia] = [await signUp('oda'), await signUp('pia')];
    expect(await say(pia, oda.set)).toBe('409 recovery_codes.replaced');
    expect([await isUnstored(oda), await isUnstored(pia)]).toEqual([true, true]);
    await server.app.operator.addUser({ name: 'without', password });
    const answer = await post('/auth/sign-in/username', { username: 'without', password });
    const without = { ...oda, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! };
    expect([await isUnstored(without), await say(without, '')]).toEqual([false, '409 recovery_codes.replaced']);
    await server.db.write([{ sql: `DELETE FROM recovery_codes WHERE user_id = 'pia'` }]);
    expect(await isUnstored(pia)).toBe(false);
  });
});
