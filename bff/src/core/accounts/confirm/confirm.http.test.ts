// stores: SQLite, PostgreSQL in the long run
/** What only the user may do, and not who has found an open session. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ConfirmingWays, NewRecoveryCodes } from '../../../contract.ts';
import { outcomeOf } from '../../../tests/service-client.fixture.ts';
import {
  createTestServer,
  origin,
  password,
  type TestServer,
  type TestUser,
} from '../../../tests/test-server.fixture.ts';
import { signInLimits } from '../../limits/part-limits.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Browser = Pick<TestUser, 'cookie'>;
const post = (path: string, { cookie }: Browser, body: object = {}, fetch = server.fetch) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  });
const confirm = (browser: Browser, body: object) => post('/auth/confirm', browser, body);
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]!.split(';')[0]!;
const makeKey = async (browser: Browser) => outcomeOf(await post('/api/account/keys', browser, { name: 'k' }));

/** A user who has signed up, and whose confirmation no longer counts. */
async function signUpEarlier(name: string): Promise<Browser & { codes: string[] }> {
  const answer = await post('/auth/sign-up', { cookie: '' }, { username: name, password });
  expect(answer.status).toBe(201);
  const { recovery_codes: codes } = (await answer.json()) as NewRecoveryCodes;
  server.wait(signInLimits.confirmedMs);
  return { cookie: cookieOf(answer), codes };
}

test('these endpoints ask a session for a confirmation, before the body, and no others', async () => {
  const ann = await signUpEarlier('ann');
  const asked: string[] = [];
  const made = await post('/api/resources', ann, { name: 'Lamp', machine_type: 'pc' });
  const { id } = (await made.json()) as { id: string };
  const writes = server.app.endpoints.filter(({ method }) => ['POST', 'PUT', 'DELETE'].includes(method));
  for (const { method, path } of writes) {
    const ofDevice = path.replace('/service', '/api').replace('/devices/:id', `/devices/${id}`);
    const answer = await server.fetch(ofDevice.replaceAll(/:\w+/g, 'x'), {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: ann.cookie },
      body: '{',
    });
    if ((await outcomeOf(answer)) === '403 session.confirm') asked.push(`${method} ${path}`);
  }
  expect(asked.toSorted()).toEqual([
    'DELETE /api/account',
    'DELETE /api/account/address',
    'DELETE /api/account/identities/:provider',
    'DELETE /api/account/keys/:id',
    'DELETE /api/account/passkeys/:id',
    'DELETE /api/account/sessions',
    'DELETE /api/account/sessions/:id',
    'DELETE /api/account/totp',
    'DELETE /api/devices/:id/keys/:key',
    'POST /api/account/keys',
    'POST /api/account/passkeys',
    'POST /api/account/passkeys/options',
    'POST /api/account/recovery-codes',
    'POST /api/account/totp',
    'POST /api/account/totp/confirm',
    'POST /api/devices/:id/keys',
    'POST /api/devices/keys',
    'PUT /api/account/address',
    'PUT /service/resources/:resource_id/handover',
    'PUT /service/swarms/:swarm_id/handover',
  ]);
});

test('two confirmations at once sign the browser in with either answer', async () => {
  const zoe = await signUpEarlier('zoe');
  const answers = await Promise.all([confirm(zoe, { password }), confirm(zoe, { password })]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  for (const cookie of answers.map(cookieOf)) expect(await makeKey({ cookie })).toBe('201');
  expect(await makeKey(zoe)).toBe('401 session.missing');
});

test('a link for a lost password needs a confirmation of the operator', async () => {
  const [ben, cyd] = [await signUpEarlier('ben'), await signUpEarlier('cyd')];
  await server.app.operator.setRole({ name: 'ben', role: 'operator' });
  expect(await outcomeOf(await post('/api/operator/users/cyd/link', cyd))).toBe('403 operator.required');
  expect(await outcomeOf(await post('/api/operator/users/cyd/link', ben))).toBe('403 session.confirm');
  const cookie = cookieOf(await confirm(ben, { password }));
  expect((await post('/api/operator/users/cyd/link', { cookie })).status).toBe(201);
});

test('a key is not asked, and a session may end itself', async () => {
  const { cookie } = await signUpEarlier('dot');
  const { key } = await server.app.operator.createKey({ user: 'dot', name: 'k' });
  const handover = {
    method: 'PUT',
    headers: { 'x-serviceapikey': key, 'content-type': 'application/json' },
    body: '{}',
  };
  expect(await outcomeOf(await server.fetch('/service/resources/x/handover', handover))).toBe('404 resource.not_found');
  const list = await server.fetch('/api/account/sessions', { headers: { cookie } });
  const { items } = (await list.json()) as { items: { id: string }[] };
  const end = { method: 'DELETE', headers: { 'sec-fetch-site': 'same-origin', cookie } };
  expect((await server.fetch(`/api/account/sessions/${items[0]!.id}`, end)).status).toBe(204);
});

describe('a confirmation', () => {
  test('by password counts for ten minutes, and gives the session a new token', async () => {
    const eva = await signUpEarlier('eva');
    expect(await makeKey(eva)).toBe('403 session.confirm');
    const answer = await confirm(eva, { password });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store']);
    const cookie = cookieOf(answer);
    expect(await makeKey({ cookie })).toBe('201');
    expect(await makeKey(eva)).toBe('401 session.missing');
    server.wait(signInLimits.confirmedMs - 60_000);
    expect(await makeKey({ cookie })).toBe('201');
    server.wait(60_000);
    expect(await makeKey({ cookie })).toBe('403 session.confirm');
    const list = await server.fetch('/api/account/sessions', { headers: { cookie } });
    expect(((await list.json()) as { items: unknown[] }).items).toHaveLength(1);
  });

  test('does not end a request of the session whose body still arrives', async () => {
    const kim = await signUpEarlier('kim');
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const answer = server.fetch('/api/resources', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: kim.cookie },
      body: body.readable,
      duplex: 'half',
    });
    const writer = body.writable.getWriter();
    await writer.write(new TextEncoder().encode('{"name":"Lamp",'));
    expect((await confirm(kim, { password })).status).toBe(204);
    await writer.write(new TextEncoder().encode('"machine_type":"pc"}'));
    await writer.close();
    expect(await outcomeOf(await answer)).toBe('201');
  });

  test('by a recovery code uses it up', async () => {
    const fay = await signUpEarlier('fay');
    const ways = await server.fetch('/auth/confirm', { headers: { cookie: fay.cookie } });
    expect(await ways.json()).toEqual({ ways: ['password', 'code'] } satisfies ConfirmingWays);
    const cookie = cookieOf(await confirm(fay, { code: fay.codes[0]!.toUpperCase() }));
    expect(await makeKey({ cookie })).toBe('201');
    expect(await outcomeOf(await confirm({ cookie }, { code: fay.codes[0] }))).toBe('400 confirm.wrong');
  });

  test('on another process holds on this one', async () => {
    const gil = await signUpEarlier('gil');
    const another = await server.startAnother(server.db);
    const elsewhere: typeof server.fetch = async (path, init) => another.fetch(new Request(`${origin}${path}`, init));
    const cookie = cookieOf(await post('/auth/confirm', gil, { password }, elsewhere));
    expect(await makeKey({ cookie })).toBe('201');
    await another.close();
  });

  test.each([
    [{ password: 'a guess' }, '400 confirm.wrong'],
    [{ code: 'abcd-abcd-abcd-abcd-abcd-abcd' }, '400 confirm.wrong'],
    [{}, '400 body.invalid'],
    [{ other: 'x' }, '400 body.invalid'],
  ])('by %j is refused', async (body, expected) => {
    const hal = await signUpEarlier(`hal-${expected.length}-${Object.keys(body).join('-')}x`);
    expect(await outcomeOf(await confirm(hal, body))).toBe(expected);
    expect(await makeKey(hal)).toBe('403 session.confirm');
  });

  test('is bounded by user, and needs a session', async () => {
    await using strict = await createTestServer({ rateLimit: 1 });
    const ida = await strict.signUp('ida');
    const guesses = await Promise.all(
      Array.from({ length: 11 }, () => post('/auth/confirm', ida, { password: 'a guess' }, strict.fetch)),
    );
    expect(guesses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 10 }, () => 400),
      429,
    ]);
    expect(await outcomeOf(await post('/auth/confirm', { cookie: '' }, { password }, strict.fetch))).toBe(
      '401 session.missing',
    );
  });

  test('does not help a session that ends before the write', async () => {
    const jo = await server.signUp('joe');
    const { write } = server.db;
    const held = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (statements.some(({ sql }) => sql.includes('INSERT INTO recovery_codes'))) {
        held.mockRestore();
        await server.app.operator.signOut({ name: 'joe' });
      }
      return write(statements);
    });
    expect(await outcomeOf(await post('/api/account/recovery-codes', jo))).toBe('401 session.missing');
  });
});
