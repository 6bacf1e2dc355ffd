import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NewRecoveryCodes, Problem } from '../../contract.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { cookieOf, createTestSignIn, origin, requestWith, type TestSignIn } from './sign-in.fixture.ts';
import { addUserWithoutPassword } from './users.store.ts';

let context: TestSignIn;
beforeAll(async () => {
  context = await createTestSignIn();
});
afterAll(() => context[Symbol.asyncDispose]());

const password = 'a good password';
const session = (cookie: string) => context.signIn.sessions.check(requestWith(cookie));
const signIn = (username: string, typed = password, headers = {}) =>
  context.post('/auth/sign-in/username', { username, password: typed }, headers);
async function problem(answer: Response | Promise<Response>): Promise<Problem> {
  return (await (await answer).json()) as Problem;
}

describe('signing up', () => {
  it('signs the user in, with a cookie that is HttpOnly and host-only', async () => {
    const answer = await context.post('/auth/sign-up', { username: 'ann', password, name: 'ann' });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ user_id: 'ann' });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-swarmdeck\.session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-swarmdeck\.browser=[\w-]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await session(cookieOf(answer))).toMatchObject({ userName: 'ann' });
  });

  it('ends the session that the browser had before', async () => {
    const cookie = await context.signUp('earlier');
    const answer = await context.post('/auth/sign-up', { username: 'newer', password }, { cookie });
    expect(answer.status).toBe(201);
    expect(await session(cookie)).toBeUndefined();
    expect(await session(cookieOf(answer))).toMatchObject({ userName: 'newer' });
  });

  it('answers a tab of an older version, which knows another path', async () => {
    const answer = await context.post('/auth/sign-up/email', { username: 'old', password, name: 'old' });
    expect(answer.status).toBe(201);
  });

  it('folds the user name, so that it is the same in every case', async () => {
    await context.signUp('Harbour-Ops');
    expect((await signIn('HARBOUR-ops')).status).toBe(200);
    // Keyboards of phones add a space.
    const answer = await context.post('/auth/sign-up', { username: 'harbour-OPS ', password });
    expect(await problem(answer)).toMatchObject({ status: 409, code: 'sign_up.name_taken' });
  });

  it.each(['ab', 'a'.repeat(33), 'with space', 'ümlaut', 'dot.ted', 'slash/ed', ''])(
    'refuses the user name %j with an error at its field',
    async (username) => {
      const answer = await context.post('/auth/sign-up', { username, password });
      expect(await problem(answer)).toMatchObject({
        status: 400,
        code: 'sign_up.name_invalid',
        errors: [{ pointer: '/username' }],
      });
    },
  );

  it.each([
    ['seven characters', 'a'.repeat(7), 400],
    ['eight', 'a-b-c-d!', 201],
    ['128', 'b'.repeat(128), 201],
    ['128 characters outside the first plane', '🦀'.repeat(128), 201],
    ['129', 'c'.repeat(129), 400],
  ])('accepts a password of 8 to 128 characters: %s', async (_case, typed, status) => {
    const username = `pw-${[...typed].length}-${typed.length}`;
    const answer = await context.post('/auth/sign-up', { username, password: typed });
    expect(answer.status).toBe(status);
    if (status === 201) expect((await signIn(username, typed)).status).toBe(200);
    else expect(await problem(answer)).toMatchObject({ code: 'password.too_weak', errors: [{ pointer: '/password' }] });
  });

  it.each(['password', 'Football1', 'QWERTYUIOP'])('refuses %s, which many people use', async (typed) => {
    const answer = await context.post('/auth/sign-up', { username: 'guessed', password: typed });
    expect(await problem(answer)).toMatchObject({
      status: 400,
      code: 'password.too_common',
      errors: [{ pointer: '/password' }],
    });
  });

  it('gives a name to one of many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => context.post('/auth/sign-up', { username: 'wanted', password })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(context.reported).toEqual([]);
  });

  it('answers another try as the first one, whose answer was lost: with new codes, and with one session', async () => {
    const attempt = crypto.randomUUID();
    const signUp = (more: object = {}) =>
      context.post('/auth/sign-up', { username: 'lost', password, attempt, ...more });
    const codesOf = async (answer: Response) => ((await answer.json()) as NewRecoveryCodes).recovery_codes;
    const lost = await signUp();
    const again = await signUp();
    expect([lost.status, again.status]).toEqual([201, 201]);
    expect(await session(cookieOf(lost))).toBeUndefined();
    const current = await session(cookieOf(again));
    const { userName, sessionId } = current!;
    expect(await context.signIn.sessions.list({ userName, currentId: sessionId })).toHaveLength(1);
    const codes = [await codesOf(lost), await codesOf(again)];
    const recover = async ([code]: string[]) =>
      (await context.post('/auth/recover', { username: 'lost', code, newPassword: 'another password' })).status;
    expect(await recover(codes[0]!)).toBe(401);
    const others = [{ password: 'a wrong password' }, { attempt: crypto.randomUUID() }, { attempt: undefined }];
    for (const other of others)
      expect(await problem(signUp(other))).toMatchObject({ status: 409, code: 'sign_up.name_taken' });
    expect(await session(cookieOf(again))).toBeDefined();
    expect(await recover(codes[1]!)).toBe(204);
    // It has ended all sessions, also that of the sign-up.
    expect(await problem(signUp({ password: 'another password' }))).toMatchObject({ code: 'sign_up.name_taken' });
  });

  it('gives one session to tries that come at once', async () => {
    const attempt = crypto.randomUUID();
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => context.post('/auth/sign-up', { username: 'hurried', password, attempt })),
    );
    const found = await Promise.all(tries.map(async (answer) => session(cookieOf(answer))));
    const open = found.flatMap((each) => (each ? [each.sessionId] : []));
    expect(open).toHaveLength(1);
    expect(await context.signIn.sessions.list({ userName: 'hurried', currentId: open[0]! })).toHaveLength(1);
  });

  it('refuses a retired name', async () => {
    await context.db.write([{ sql: "INSERT INTO retired_names (name) VALUES ('gone')" }]);
    const answer = await context.post('/auth/sign-up', { username: 'gone', password });
    expect(await problem(answer)).toMatchObject({ status: 409, code: 'sign_up.name_taken' });
    await expect(context.signIn.addUser({ userName: 'gone', password })).rejects.toMatchObject({
      code: 'sign_up.name_taken',
    });
  });

  it('is refused if sign-up is closed, without affecting sign-in', async () => {
    await using closed = await createTestSignIn({ signUp: 'closed' });
    await closed.signIn.addUser({ userName: 'insider', password });
    const answer = await closed.post('/auth/sign-up', { username: 'outsider', password });
    expect(await problem(answer)).toMatchObject({ status: 403, code: 'sign_up.closed' });
    expect((await closed.post('/auth/sign-in/username', { username: 'insider', password })).status).toBe(200);
    const options = await closed.signIn.serve([]).handle(new Request(`${origin}/auth/options`), testBindings());
    expect(await options.json()).toEqual({
      sign_up: 'closed',
      passwords: true,
      passkeys: true,
      mail_link: false,
      providers: [],
    });
  });
});

describe('signing in', () => {
  beforeAll(() => context.signUp('vera'));

  it('responds the same to a wrong password and to an unknown name', async () => {
    const answers = [
      await signIn('vera', 'not her password'),
      await signIn('nobody-here'),
      await signIn('x'),
      await signIn('not a name at all'),
      await signIn('gone'),
      await signIn('vera', ''),
    ];
    const shown = await Promise.all(
      answers.map(async (answer) => ({
        status: answer.status,
        headers: [...answer.headers],
        body: await answer.text(),
      })),
    );
    expect(shown[0]).toMatchObject({ status: 401, body: expect.stringContaining('"sign_in.wrong_password"') });
    for (const other of shown) expect(other).toEqual(shown[0]);
  });

  it('hashes once for a wrong password, an unknown name and an account without a password', async () => {
    await context.db.write([addUserWithoutPassword({ id: 'partner', userName: 'partner', at: new Date() })]);
    const hash = vi.spyOn(crypto, 'scrypt');
    syncBuiltinESMExports();
    const hashes: number[] = [];
    for (const name of ['vera', 'nobody-here', 'partner']) {
      hash.mockClear();
      expect(await problem(signIn(name, 'not the password'))).toMatchObject({ code: 'sign_in.wrong_password' });
      hashes.push(hash.mock.calls.length);
    }
    hash.mockRestore();
    syncBuiltinESMExports();
    expect(hashes).toEqual([1, 1, 1]);
  });

  it('ends the browser’s previous session', async () => {
    const before = cookieOf(await signIn('vera'));
    const after = cookieOf(await signIn('vera', password, { cookie: before }));
    expect(await session(before)).toBeUndefined();
    expect(await session(after)).toMatchObject({ userName: 'vera' });
  });

  it('keeps only the hundred most recently used sessions', async () => {
    await context.signUp('robot');
    const at = context.now().toISOString();
    for (let session = 0; session < 105; session++) {
      await context.db.write([
        {
          sql: `INSERT INTO session (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
                SELECT $1, $2, $3, $4, $5, id FROM "user" WHERE username = 'robot'`,
          params: [`robot-${session}`, '2999-01-01T00:00:00.000Z', `token-${session}`, at, at],
        },
      ]);
    }
    const cookie = cookieOf(await signIn('robot'));
    expect(await session(cookie)).toBeDefined();
    const { userName, sessionId } = (await session(cookie))!;
    expect(await context.signIn.sessions.list({ userName, currentId: sessionId })).toHaveLength(100);
  });

  it('explains that it does not work over plain HTTP from another machine', async () => {
    const origin = 'http://192.168.1.20:3000';
    for (const path of ['/auth/sign-in/username', '/auth/sign-up']) {
      const answer = await context.post(path, { username: 'vera', password }, { origin });
      expect(await problem(answer)).toMatchObject({ status: 403, code: 'sign_in.insecure_origin' });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('fails without a server error if the account is deleted meanwhile', async () => {
    await context.signUp('leaver');
    const signing = signIn('leaver');
    await context.db.write([
      { sql: `DELETE FROM session WHERE "userId" = (SELECT id FROM "user" WHERE username = 'leaver')` },
      { sql: `DELETE FROM account WHERE "userId" = (SELECT id FROM "user" WHERE username = 'leaver')` },
      { sql: `DELETE FROM "user" WHERE username = 'leaver'` },
    ]);
    expect(await problem(signing)).toMatchObject({ status: 401, code: 'sign_in.wrong_password' });
    expect(context.reported).toEqual([]);
  });
});

describe('signing out', () => {
  it('ends the session and deletes the cookie', async () => {
    const cookie = await context.signUp('leaver');
    const answer = await context.post('/auth/sign-out', {}, { cookie });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^__Host-swarmdeck\.session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    );
    expect(await session(cookie)).toBeUndefined();
  });

  it('ends only the session that it names, also if another user has signed in since', async () => {
    const cookie = await context.signUp('early');
    const { sessionId } = (await session(cookie))!;
    const next = await context.signUp('next');
    const late = await context.post('/auth/sign-out', { session_id: sessionId }, { cookie: next });
    expect([late.status, late.headers.getSetCookie()]).toEqual([204, []]);
    expect(await session(next)).toMatchObject({ userName: 'next' });
    expect(await session(cookie)).toMatchObject({ userName: 'early' });
    const inTime = await context.post('/auth/sign-out', { session_id: sessionId }, { cookie });
    // Its answer may arrive after that to a sign-in, whose cookie it must not clear.
    expect([inTime.status, inTime.headers.getSetCookie()]).toEqual([204, []]);
    expect(await session(cookie)).toBeUndefined();
  });

  it('succeeds for a user who is already signed out', async () => {
    expect((await context.post('/auth/sign-out')).status).toBe(204);
  });
});

describe('changing the password', () => {
  const change = (cookie: string, currentPassword: string, newPassword: string) =>
    context.post('/auth/change-password', { currentPassword, newPassword, revokeOtherSessions: true }, { cookie });

  it('ends all other sessions, keeps the current one, and notifies the gateway', async () => {
    const here = await context.signUp('mover');
    const there = cookieOf(await signIn('mover'));
    expect((await change(here, password, 'a better password')).status).toBe(204);
    expect(await session(here)).toMatchObject({ userName: 'mover' });
    expect(await session(there)).toBeUndefined();
    expect(context.changed).toContain('mover');
    expect((await signIn('mover')).status).toBe(401);
    expect((await signIn('mover', 'a better password')).status).toBe(200);
  });

  it('keeps the other sessions on request', async () => {
    const here = await context.signUp('stayer');
    const there = cookieOf(await signIn('stayer'));
    const body = { currentPassword: password, newPassword: 'a better password', revokeOtherSessions: false };
    expect((await context.post('/auth/change-password', body, { cookie: here })).status).toBe(204);
    expect(await session(here)).toBeDefined();
    expect(await session(there)).toBeDefined();
  });

  it('changes nothing without the current password', async () => {
    const cookie = await context.signUp('keeper');
    expect(await problem(change(cookie, 'a wrong password', 'a better password'))).toMatchObject({
      status: 400,
      code: 'password.wrong',
      errors: [{ pointer: '/currentPassword' }],
    });
    expect(await problem(change(cookie, password, 'short'))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/newPassword' }],
    });
    expect((await signIn('keeper')).status).toBe(200);
  });

  it('also ends a session that is being created with the old password', async () => {
    await context.signUp('hasty');
    await context.signUp('another', 'another password');
    const signing = signIn('hasty');
    // While the old password is verified, which takes longer than a write.
    const ofUser = `"userId" = (SELECT id FROM "user" WHERE username = 'hasty')`;
    await context.db.write([
      {
        sql: `UPDATE account SET password = (SELECT a.password FROM account a JOIN "user" u ON u.id = a."userId"
              WHERE u.username = 'another') WHERE ${ofUser}`,
      },
      { sql: `DELETE FROM session WHERE ${ofUser}` },
    ]);
    const answer = await signing;
    expect(await problem(answer)).toMatchObject({ status: 401, code: 'sign_in.wrong_password' });
    expect(await context.signIn.sessions.list({ userName: 'hasty', currentId: '' })).toEqual([]);
  });

  it('succeeds for one of two concurrent changes, which keeps its session', async () => {
    const here = await context.signUp('twofold');
    const there = cookieOf(await signIn('twofold'));
    const news = ['a better password', 'a worse password'] as const;
    const answers = await Promise.all([change(here, password, news[0]), change(there, password, news[1])]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 400]);
    const first = answers[0].status === 204;
    expect((await signIn('twofold', news[first ? 0 : 1])).status).toBe(200);
    expect(await session(first ? here : there)).toBeDefined();
    expect(await session(first ? there : here)).toBeUndefined();
  });

  it('requires a session', async () => {
    expect(await problem(change('', password, 'a better password'))).toMatchObject({ code: 'session.missing' });
  });
});

describe('operator commands', () => {
  it('refuses a password that many people use', async () => {
    const add = context.signIn.addUser({ userName: 'guessed', password: 'letmein1' });
    await expect(add).rejects.toMatchObject({ code: 'password.too_common' });
  });

  it('adds a user without a session', async () => {
    await context.signIn.addUser({ userName: 'Added', password });
    expect(await context.signIn.sessions.list({ userName: 'added', currentId: '' })).toEqual([]);
    expect((await signIn('added')).status).toBe(200);
    await expect(context.signIn.addUser({ userName: 'added', password })).rejects.toMatchObject({
      code: 'sign_up.name_taken',
    });
    await expect(context.signIn.addUser({ userName: 'a b', password })).rejects.toMatchObject({
      code: 'sign_up.name_invalid',
    });
    await expect(context.signIn.addUser({ userName: 'abc', password: 'short' })).rejects.toMatchObject({
      code: 'password.too_weak',
    });
  });

  it('sets a lost password, which ends all sessions', async () => {
    const cookie = await context.signUp('loser');
    expect(await context.signIn.changePassword({ userName: 'LOSER', password: 'a found password' })).toBe(true);
    expect(await session(cookie)).toBeUndefined();
    expect((await signIn('loser', 'a found password')).status).toBe(200);
    expect(await context.signIn.changePassword({ userName: 'nobody-here', password })).toBe(false);
  });
});

describe('the limit', () => {
  it('blocks an address after too many attempts, with Retry-After', async () => {
    await using limited = await createTestSignIn({ rateLimit: 0.3 });
    const attempt = (address: string) =>
      limited.post('/auth/sign-in/username', { username: 'ann', password }, { 'x-test-address': address });
    for (let tried = 0; tried < 3; tried++) expect((await attempt('192.0.2.7')).status).toBe(401);
    const refused = await attempt('192.0.2.7');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problem(refused)).toMatchObject({ code: 'rate.exceeded' });
    expect((await attempt('192.0.2.8')).status).toBe(401);

    limited.wait(21_000);
    expect((await attempt('192.0.2.7')).status).toBe(401);
  });

  it('does not lock a user out whose neighbour, at the same address, has used up its attempts', async () => {
    await using limited = await createTestSignIn({ rateLimit: 0.3 });
    await limited.signUp('ann');
    const attempt = async (username: string, typed: string) => {
      const body = { username, password: typed };
      return (await limited.post('/auth/sign-in/username', body)).status;
    };
    expect(await attempt('ann', password)).toBe(200);
    for (let guess = 0; guess < 2; guess++) expect(await attempt('ben', 'a wrong guess')).toBe(401);
    expect(await attempt('ben', 'a wrong guess')).toBe(429);

    expect(await attempt('ann', password)).toBe(200);
    // Attempts of their own are limited too.
    const statuses = [];
    for (let guess = 0; guess < 3; guess++) statuses.push(await attempt('ann', 'a wrong guess'));
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('counts invalid bodies also at an address where somebody has signed in', async () => {
    await using limited = await createTestSignIn({ rateLimit: 0.3 });
    await limited.signUp('ann');
    const attempt = async (body: unknown) => (await limited.post('/auth/sign-in/username', body)).status;
    expect(await attempt({ username: 'ann', password })).toBe(200);
    const invalid = ['{', '[]', { username: 1 }, { username: 'ann' }, 'x'.repeat(100_000)];
    const statuses = [];
    for (const body of invalid) statuses.push(await attempt(body));
    expect(statuses).toEqual([400, 400, 429, 429, 429]);
    expect(await attempt({ username: 'ann', password })).toBe(200);
  });

  it('limits failed attempts for one name from many addresses, without locking out its owner', async () => {
    // A tenth of the limits: 1 attempt per address, 3 per name, and 1 free attempt of each address per name.
    await using limited = await createTestSignIn({ rateLimit: 0.1 });
    await limited.signUp('ann');
    const attempt = async (username: string, typed: string, address: string) => {
      const body = { username, password: typed };
      return (await limited.post('/auth/sign-in/username', body, { 'x-test-address': address })).status;
    };
    expect(await attempt('ann', password, '192.0.2.7')).toBe(200);
    // Attempts that the limit of an address rejects do not count for the name.
    for (let guess = 0; guess < 9; guess++) await attempt('ann', 'a wrong guess', '198.51.100.7');

    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      if (guess === 6) limited.wait(60_000);
      statuses.push(await attempt('ann', 'a wrong guess', `198.51.100.${guess % 6}`));
    }
    expect(statuses).toEqual([...Array<number>(9).fill(401), 429, 429, 429]);

    expect(await attempt('ben', 'a wrong guess', '198.51.100.99'), 'another name').toBe(401);
    expect(await attempt('ann', password, '203.0.113.1'), 'the owner at a new address').toBe(200);
    expect(await attempt('ann', password, '192.0.2.7'), 'the owner where they have been').toBe(200);
  });

  it('bounds recovery by address, so that nobody keeps the owner of a name from it', async () => {
    await using limited = await createTestSignIn({ rateLimit: 0.3 });
    const signedUp = await limited.post('/auth/sign-up', { username: 'ann', password });
    const { recovery_codes: codes } = (await signedUp.json()) as NewRecoveryCodes;
    const recover = async (address: string, code: string) => {
      const body = { username: 'ann', code, newPassword: 'a better password' };
      return (await limited.post('/auth/recover', body, { 'x-test-address': address })).status;
    };
    for (let address = 0; address < 40; address++) expect(await recover(`198.51.100.${address}`, 'a guess')).toBe(401);
    const guessed = [];
    for (let guess = 0; guess < 4; guess++) guessed.push(await recover('192.0.2.7', 'a guess'));
    expect(guessed).toEqual([401, 401, 401, 429]);
    expect(await recover('203.0.113.1', codes[0]!)).toBe(204);
    expect(limited.changed).toEqual(['ann']);
  });

  it.each(['/auth/sign-in/username', '/auth/sign-up', '/auth/sign-up/identity', '/auth/recover'])(
    '%s counts invalid bodies, and does not read further ones',
    async (path) => {
      await using limited = await createTestSignIn({ rateLimit: 0.3 });
      for (const body of ['{', '[]', { username: 1 }]) expect((await limited.post(path, body)).status).toBe(400);
      const unread = new Request(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: '{',
      });
      const answer = await limited.signIn.serve([]).handle(unread, testBindings());
      expect(await problem(answer)).toMatchObject({ status: 429, code: 'rate.exceeded' });
      expect(unread.bodyUsed).toBe(false);
    },
  );

  it.each([
    [1000, 401],
    [60_000, 400],
  ])('stores nothing for rejected sign-ins with user names of %i characters', async (length, status) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    // A factor, not `off`: without limits there are no buckets to fill.
    await using limited = await createTestSignIn({ rateLimit: 1000 });
    const attempt = (count: number) =>
      limited.post('/auth/sign-in/username', { username: `${count}`.padEnd(length), password });
    await attempt(0);
    const before = heap();
    for (let count = 1; count <= 500; count++) expect((await attempt(count)).status).toBe(status);
    expect(heap() - before).toBeLessThan(10_000_000);
  });

  it('applies to failed attempts with a session too', async () => {
    await using limited = await createTestSignIn({ rateLimit: 0.2 });
    const cookie = await limited.signUp('ann');
    const guess = () =>
      limited.post('/auth/change-password', { currentPassword: 'a guess', newPassword: password }, { cookie });
    expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });
});

it('a space around the user name does not count at sign-in', async () => {
  const name = 'spaced';
  await context.signUp(name);
  for (const username of [`${name} `, ` ${name}`, `\u00a0${name}\n`]) {
    const answer = await context.post('/auth/sign-in/username', { username, password });
    expect([answer.status, await answer.json()]).toEqual([200, { user_id: name }]);
  }
  const inside = await context.post('/auth/sign-in/username', { username: `${name[0]} ${name.slice(1)}`, password });
  expect(inside.status).toBe(401);
});

describe('a request to /auth', () => {
  const types = { 'content-type': 'text/plain' };
  it.each([
    ['no JSON', '{', {}, 400, 'body.unreadable'],
    ['nothing', '', {}, 400, 'body.unreadable'],
    ['a list', '[]', {}, 400, 'body.invalid'],
    ['a number for a name', '{"username":1,"password":"a good password"}', {}, 400, 'body.invalid'],
    ['a field too many', `{"username":"ann","password":"${password}","callbackURL":"/x"}`, {}, 400, 'body.invalid'],
    ['another type', `{"username":"ann","password":"${password}"}`, types, 415, 'body.not_json'],
    ['too much', `{"username":"${'a'.repeat(70_000)}","password":"x"}`, {}, 413, 'body.too_large'],
    ['NUL in a password', '{"username":"ann","password":"a good \\u0000 one"}', {}, 400, 'body.invalid'],
    ['a page of another site', '{}', { 'sec-fetch-site': 'cross-site' }, 403, 'origin.refused'],
  ] as const)('gets a problem response: %s', async (_case, body, headers, status, code) => {
    for (const path of ['/auth/sign-in/username', '/auth/sign-up']) {
      const answer = await context.post(path, body, headers);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await problem(answer)).toMatchObject({ status, code });
    }
  });

  it.each(['/sign-in/email', '/get-session', ''])('gets 404 at any other path: %j', async (path) => {
    const cookie = cookieOf(await signIn('vera'));
    expect((await context.post(`/auth${path}`, {}, { cookie })).status).toBe(404);
    const request = new Request(`${origin}/auth${path}`, { headers: { cookie } });
    expect((await context.signIn.serve([]).handle(request, testBindings())).status).toBe(404);
  });

  it('gets the allowed methods for a wrong method', async () => {
    const answer = await context.signIn.serve([]).handle(new Request(`${origin}/auth/sign-out`), testBindings());
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('a store that cannot be written', () => {
  it('causes a 503 for every write', async () => {
    await using away = await createTestSignIn();
    const cookie = await away.signUp('ann');
    await away.db.write([{ sql: 'PRAGMA query_only = ON' }]);
    const answers = {
      signIn: await away.post('/auth/sign-in/username', { username: 'ann', password }),
      signUp: await away.post('/auth/sign-up', { username: 'bob', password }),
      signOut: await away.post('/auth/sign-out', {}, { cookie }),
      change: await away.post(
        '/auth/change-password',
        { currentPassword: password, newPassword: 'another one' },
        { cookie },
      ),
    };
    for (const [name, answer] of Object.entries(answers)) {
      expect([name, answer.status]).toEqual([name, 503]);
      expect(await problem(answer)).toMatchObject({ code: 'storage.away' });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(away.reported.length).toBeGreaterThanOrEqual(3);
  });
});
