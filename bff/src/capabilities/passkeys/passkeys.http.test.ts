// stores: SQLite, PostgreSQL in the long run
/** Signing in with passkeys, and the passkeys of a user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityPage, Passkey, PasskeyCreation, PasskeyRequest } from '../../contract.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import { createServiceClient, outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';
import { createAuthenticator, type Authenticator } from '../../tests/authenticator.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Asked = (path: string, init: RequestInit) => Promise<Response>;
const post = (path: string, { body = {}, cookie = '', fetch = server.fetch }: Sent) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  });
interface Sent {
  body?: object;
  cookie?: string;
  fetch?: Asked;
}
const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
const account = (user: TestUser, method = 'GET', more = '', body?: object) =>
  server.request('gateway', user, { method, path: `/account/passkeys${more}`, ...(body && { body }) });
const passkeysOf = async (user: TestUser) => ((await (await account(user)).json()) as { items: Passkey[] }).items;

/** What the browser asks for a new passkey, and the cookies that it then sends. */
async function askForNew(user: TestUser) {
  const answer = await account(user, 'POST', '/options');
  expect(answer.status).toBe(200);
  return { asked: (await answer.json()) as PasskeyCreation, cookie: `${user.cookie}; ${cookieOf(answer)}` };
}
async function add(
  user: TestUser,
  authenticator: Authenticator,
  { name = 'phone', ...changes }: { name?: string } & Parameters<Authenticator['create']>[1] = {},
) {
  const { asked, cookie } = await askForNew(user);
  return account({ ...user, cookie }, 'POST', '', { name, credential: authenticator.create(asked, changes) });
}

async function askToSignIn() {
  const answer = await post('/auth/sign-in/passkey/options', {});
  expect(answer.status).toBe(200);
  return { asked: (await answer.json()) as PasskeyRequest, cookie: cookieOf(answer) };
}
async function signIn(authenticator: Authenticator, changes: Parameters<Authenticator['get']>[1] = {}) {
  const { asked, cookie } = await askToSignIn();
  return post('/auth/sign-in/passkey', { cookie, body: { credential: authenticator.get(asked, changes) } });
}
async function withPasskey(name: string, options: Partial<Parameters<typeof createAuthenticator>[0]> = {}) {
  const user = await server.signUp(name);
  const authenticator = createAuthenticator({ origin, ...options });
  expect(await outcomeOf(await add(user, authenticator))).toBe('201');
  return { user, authenticator };
}

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey with %s signs in without a name', async (algorithm) => {
  const name = `ann-${algorithm.toLowerCase()}`;
  const { user, authenticator } = await withPasskey(name, { algorithm });
  const answer = await signIn(authenticator);
  expect(await answer.json()).toEqual({ user_id: name });
  const again = { ...user, cookie: cookieOf(answer) };
  expect(await passkeysOf(again)).toMatchObject([
    {
      id: authenticator.id,
      name: 'phone',
      last_used_at: expect.stringContaining(server.now().toISOString().slice(0, 10)),
    },
  ]);
  const { items } = await createServiceClient(name, (asked) => server.request('direct', user, asked)).get<ActivityPage>(
    '/activity',
  );
  expect(items.map(({ kind, detail }) => [kind, detail])).toContainEqual(['account.passkey_added', 'phone']);
  const logged = server.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'signed in');
  expect(logged.at(-1)).toMatchObject({ user: name, way: 'passkey' });
});

test('a browser is asked for a user who is verified, and nobody is named', async () => {
  const { asked } = await askToSignIn();
  expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(asked).not.toHaveProperty('allowCredentials');
  const { user, authenticator } = await withPasskey('asker');
  const { asked: creation } = await askForNew(user);
  expect(creation).toMatchObject({
    attestation: 'none',
    rp: { id: 'localhost' },
    user: { name: 'asker' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: authenticator.id }],
  });
  expect(creation.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257]);
});

test('two tabs ask, and each gets an answer', async () => {
  const { authenticator } = await withPasskey('tabs');
  const [one, other] = [await askToSignIn(), await askToSignIn()];
  const cookie = `${one.cookie}; ${other.cookie}`;
  const answers = [one, other].map(({ asked }) =>
    post('/auth/sign-in/passkey', { cookie, body: { credential: authenticator.get(asked) } }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
});

describe('an answer', () => {
  test('signs in once, also on two processes at once', async () => {
    const { authenticator } = await withPasskey('ben');
    const another = await server.startAnother(server.db);
    const elsewhere: Asked = (path, init) => Promise.resolve(another.fetch(new Request(`${origin}${path}`, init)));
    const { asked, cookie } = await askToSignIn();
    const body = { credential: authenticator.get(asked) };
    const answers = await Promise.all(
      [server.fetch, elsewhere, server.fetch, elsewhere].map((fetch) =>
        post('/auth/sign-in/passkey', { body, cookie, fetch }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    expect(await outcomeOf(await post('/auth/sign-in/passkey', { body, cookie }))).toBe('401 sign_in.wrong_passkey');
    await another.close();
  });

  test('is refused in the same way for each fault, and for an unknown passkey', async () => {
    const { authenticator } = await withPasskey('cyd');
    const unknown = createAuthenticator({ origin });
    const { user, authenticator: ofDisabled } = await withPasskey('dora');
    await server.app.operator.disableUser({ name: user.name });
    const { asked, cookie } = await askToSignIn();
    const answers = [
      await signIn(authenticator, { origin: 'https://swarmdeck.example' }),
      await signIn(authenticator, { rpId: 'swarmdeck.example' }),
      await signIn(authenticator, { challenge: 'AAAA' }),
      await signIn(authenticator, { isVerified: false }),
      await signIn(authenticator, { crossOrigin: true }),
      await signIn(authenticator, { userHandle: Buffer.from('nobody').toString('base64url') }),
      await signIn(unknown, { userHandle: 'AAAA' }),
      await signIn(ofDisabled),
      // Another key than the one that was added.
      await post('/auth/sign-in/passkey', {
        cookie,
        body: {
          credential: { ...unknown.get(asked, { userHandle: 'AAAA' }), id: authenticator.id, rawId: authenticator.id },
        },
      }),
      await post('/auth/sign-in/passkey', { body: { credential: authenticator.get(asked) } }),
    ];
    const bodies = await Promise.all(
      answers.map(async (answer) => {
        const { request_id: _, ...body } = (await answer.json()) as { request_id: string };
        return { ...body, status: answer.status };
      }),
    );
    expect(bodies[0]).toMatchObject({ status: 401, code: 'sign_in.wrong_passkey' });
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect((await signIn(authenticator)).status).toBe(200);
  });

  test('is refused after ten minutes, and one of a security key that was copied', async () => {
    const { authenticator } = await withPasskey('eva', { counts: true });
    const { asked, cookie } = await askToSignIn();
    const old = authenticator.get(asked);
    expect((await signIn(authenticator)).status).toBe(200);
    expect((await post('/auth/sign-in/passkey', { cookie, body: { credential: old } })).status).toBe(401);
    const late = await askToSignIn();
    server.wait(10 * minuteMs + 1);
    const body = { credential: authenticator.get(late.asked) };
    expect((await post('/auth/sign-in/passkey', { cookie: late.cookie, body })).status).toBe(401);
    expect((await signIn(authenticator)).status).toBe(200);
  });

  test('of malformed parts is a bad request', async () => {
    const { asked, cookie } = await askToSignIn();
    const right = createAuthenticator({ origin }).get(asked, { userHandle: 'AAAA' });
    for (const credential of [
      {},
      { ...right, id: '' },
      { ...right, id: 'A'.repeat(2000) },
      { ...right, response: {} },
    ]) {
      const answer = await post('/auth/sign-in/passkey', { cookie, body: { credential } });
      expect(answer.status).toBe(400);
    }
  });
});

test('a passkey confirms that it is its user, once', async () => {
  const { user, authenticator } = await withPasskey('mia');
  const { authenticator: ofAnother } = await withPasskey('nia');
  server.wait(10 * minuteMs + 1);
  const of = `/${authenticator.id}`;
  expect(await outcomeOf(await account(user, 'DELETE', of))).toBe('403 session.confirm');
  expect(await outcomeOf(await account(user, 'POST', '/options'))).toBe('403 session.confirm');
  const confirm = async (by: Authenticator) => {
    const { asked, cookie } = await askToSignIn();
    const sent = { cookie: `${user.cookie}; ${cookie}`, body: { passkey: by.get(asked) } };
    return { sent, answer: await post('/auth/confirm', sent) };
  };
  expect(await outcomeOf((await confirm(ofAnother)).answer)).toBe('400 confirm.wrong');
  const { sent, answer } = await confirm(authenticator);
  expect(answer.status).toBe(204);
  const confirmed = { ...user, cookie: cookieOf(answer) };
  const again = { ...sent, cookie: `${confirmed.cookie}; ${sent.cookie.split('; ').at(-1)}` };
  expect(await outcomeOf(await post('/auth/confirm', again))).toBe('400 confirm.wrong');
  expect((await account(confirmed, 'DELETE', of)).status).toBe(204);
});

describe('the passkeys of a user', () => {
  test('are named, renamed and removed; what is removed does not sign in', async () => {
    const { user, authenticator } = await withPasskey('fay');
    const of = `/${authenticator.id}`;
    expect((await account(user, 'PUT', of, { name: 'blue key' })).status).toBe(204);
    expect(await passkeysOf(user)).toMatchObject([{ name: 'blue key', last_used_at: null }]);
    expect((await account(user, 'DELETE', of)).status).toBe(204);
    expect(await outcomeOf(await account(user, 'DELETE', of))).toBe('404 passkey.not_found');
    expect(await outcomeOf(await account(user, 'PUT', of, { name: 'x' }))).toBe('404 passkey.not_found');
    expect(await outcomeOf(await signIn(authenticator))).toBe('401 sign_in.wrong_passkey');
    expect(await passkeysOf(user)).toEqual([]);
  });

  test('are at most 20, also if many are added at once', async () => {
    const user = await server.signUp('gil');
    for (let count = 0; count < 18; count += 1) {
      expect((await add(user, createAuthenticator({ origin }))).status).toBe(201);
    }
    const asks = await Promise.all(Array.from({ length: 4 }, () => askForNew(user)));
    const added = await Promise.all(
      asks.map(async ({ asked, cookie }) =>
        outcomeOf(
          await account({ ...user, cookie }, 'POST', '', {
            name: 'key',
            credential: createAuthenticator({ origin }).create(asked),
          }),
        ),
      ),
    );
    expect(added.toSorted()).toEqual(['201', '201', '409 passkey.too_many', '409 passkey.too_many']);
    expect(await outcomeOf(await account(user, 'POST', '/options'))).toBe('409 passkey.too_many');
    expect(await passkeysOf(user)).toHaveLength(20);
  });

  test('are refused if they are of another user, another challenge or another site, or were not verified', async () => {
    const [hal, ida] = [await server.signUp('hal'), await server.signUp('ida')];
    const authenticator = createAuthenticator({ origin });
    const refused = '400 passkey.refused';
    for (const changes of [
      { origin: 'https://swarmdeck.example' },
      { rpId: 'swarmdeck.example' },
      { challenge: 'AAAA' },
      { isVerified: false },
      { crossOrigin: true },
    ])
      expect(await outcomeOf(await add(hal, authenticator, changes))).toBe(refused);
    const { asked, cookie } = await askForNew(hal);
    const ofHal = cookie.split('; ').find((each) => each.startsWith('__Host-swarmdeck.new-passkey='))!;
    const body = { name: 'key', credential: authenticator.create(asked) };
    expect(await outcomeOf(await account({ ...ida, cookie: `${ida.cookie}; ${ofHal}` }, 'POST', '', body))).toBe(
      refused,
    );
    expect(await outcomeOf(await account(hal, 'POST', '', body))).toBe(refused);
    expect((await account({ ...hal, cookie }, 'POST', '', body)).status).toBe(201);
    // The step is used, and the passkey is known.
    expect(await outcomeOf(await account({ ...hal, cookie }, 'POST', '', body))).toBe(refused);
    expect(await outcomeOf(await add(ida, authenticator))).toBe(refused);
  });

  test('are neither shown to others nor changed by them, and end with the account', async () => {
    const { authenticator } = await withPasskey('joe');
    const kay = await server.signUp('kay');
    expect(await passkeysOf(kay)).toEqual([]);
    const of = `/${authenticator.id}`;
    expect(await outcomeOf(await account(kay, 'PUT', of, { name: 'x' }))).toBe('404 passkey.not_found');
    expect(await outcomeOf(await account(kay, 'DELETE', of))).toBe('404 passkey.not_found');
    await server.app.operator.deleteUser({ name: 'joe' });
    expect(await outcomeOf(await signIn(authenticator))).toBe('401 sign_in.wrong_passkey');
    expect(await server.db.read({ sql: `SELECT 1 FROM passkeys WHERE user_id = 'joe'` })).toEqual([]);
  });

  test('the last way to sign in stays, also if two are removed at once', async () => {
    const { user, authenticator } = await withPasskey('lea');
    const second = createAuthenticator({ origin });
    expect((await add(user, second)).status).toBe(201);
    // A user who has come by a provider has no password.
    await server.db.write([
      { sql: `DELETE FROM account WHERE "userId" = (SELECT id FROM "user" WHERE username = 'lea')` },
    ]);
    const removed = await Promise.all(
      [authenticator, second].map(async ({ id }) => outcomeOf(await account(user, 'DELETE', `/${id}`))),
    );
    expect(removed.toSorted()).toEqual(['204', '409 sign_in.last_way']);
    expect(await passkeysOf(user)).toHaveLength(1);
  });
});

test('strangers are bounded by address, and do not lock an owner out', async () => {
  await using strict = await createTestServer({ rateLimit: 1, isRepeatable: true });
  const ask = (path: string) => post(path, { fetch: strict.fetch });
  for (const path of ['/auth/sign-in/passkey/options', '/auth/sign-in/passkey']) {
    let answer = await ask(path);
    for (let count = 0; answer.status !== 429 && count < 100; count += 1) answer = await ask(path);
    expect(answer.status).toBe(429);
  }
});

test('the sign-in page is told whether passkeys are possible', async () => {
  expect(await (await server.fetch('/auth/options')).json()).toMatchObject({ passkeys: true });
  expect(password).toBeDefined();
});
