// stores: SQLite, PostgreSQL in the long run
/** A server that requires a second factor: what a session without one can do, and what ends that. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account, NewRecoveryCodes, NewTotp } from '../../contract.ts';
import type { Database } from '../../core/store/database.ts';
import { outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer } from '../../tests/test-server.fixture.ts';
import {
  createAuthenticator,
  type Authenticator,
  type AskedToCreate,
  type AskedToUse,
} from '../../tests/authenticator.fixture.ts';
import { browserOf, type Browser } from '../../core/accounts/browser.fixture.ts';
import { startProvider } from '../../tests/provider.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ secondFactor: 'required' });
});
afterAll(() => server[Symbol.asyncDispose]());

const json = async <T>(answer: Response) => (await answer.json()) as T;
const stateOf = async (browser: Browser) =>
  (await json<Account>(await browser.send('GET', '/api/account'))).second_factor;
const devices = async (browser: Browser) => outcomeOf(await browser.send('GET', '/api/resources'));
const refused = '403 second_factor.required';

async function signUp(username: string) {
  const browser = browserOf(server.fetch);
  const answer = await browser.send('POST', '/auth/sign-up', { username, password });
  return { browser, codes: (await json<NewRecoveryCodes>(answer)).recovery_codes };
}
async function signIn(username: string) {
  const browser = browserOf(server.fetch);
  expect((await browser.send('POST', '/auth/sign-in/username', { username, password })).status).toBe(200);
  return browser;
}
async function setUpApp(browser: Browser) {
  const begun = await browser.send('POST', '/api/account/totp', {});
  if (!begun.ok) return { outcome: await outcomeOf(begun), code: () => '' };
  const { secret } = await json<NewTotp>(begun);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = () => app.generate({ timestamp: server.now().getTime() });
  return { outcome: await outcomeOf(await browser.send('POST', '/api/account/totp/confirm', { code: code() })), code };
}
async function addPasskey(browser: Browser, authenticator: Authenticator) {
  const asked = await browser.send('POST', '/api/account/passkeys/options', {});
  if (!asked.ok) return outcomeOf(asked);
  const credential = authenticator.create(await json<AskedToCreate>(asked));
  return outcomeOf(await browser.send('POST', '/api/account/passkeys', { name: 'phone', credential }));
}
async function usePasskey(browser: Browser, authenticator: Authenticator) {
  const asked = await json<AskedToUse>(await browser.send('POST', '/auth/sign-in/passkey/options', {}));
  return authenticator.get(asked);
}

test('a session with a password alone reaches nothing but what sets one up, and then everything', async () => {
  const { browser } = await signUp('ann');
  expect(await stateOf(browser)).toBe('set_up');
  for (const [method, path] of [
    ['GET', '/api/resources'],
    ['GET', '/api/events'],
    ['GET', '/api/account/keys'],
    ['GET', '/api/account/%74otp'],
    ['POST', '/api/account/keys'],
    ['DELETE', '/api/account'],
    ['DELETE', '/api/account/totp'],
    ['POST', '/auth/oidc/home'],
    ['POST', '/auth/change-password'],
  ] as const) {
    const bodies: Record<string, object> = {
      '/auth/oidc/home': { purpose: 'link', next: '/account' },
      '/auth/change-password': { currentPassword: password, newPassword: 'a better password' },
    };
    expect([path, await outcomeOf(await browser.send(method, path, bodies[path]))]).toEqual([path, refused]);
  }
  expect((await setUpApp(browser)).outcome).toBe('200');
  expect(await stateOf(browser)).toBe(undefined);
  expect(await devices(browser)).toBe('200');
});

test('a passkey sets one up, too, and signs in with both', async () => {
  const { browser } = await signUp('ben');
  const authenticator = createAuthenticator({ origin });
  expect(await addPasskey(browser, authenticator)).toBe('201');
  expect(await devices(browser)).toBe('200');
  const other = browserOf(server.fetch);
  const credential = await usePasskey(other, authenticator);
  expect((await other.send('POST', '/auth/sign-in/passkey', { credential })).status).toBe(200);
  expect([await stateOf(other), await devices(other)]).toEqual([undefined, '200']);
});

test('who has a second factor shows it, and cannot set up another one instead', async () => {
  const { browser, codes } = await signUp('cyd');
  const authenticator = createAuthenticator({ origin });
  await addPasskey(browser, authenticator);
  const other = await signIn('cyd');
  expect(await stateOf(other)).toBe('confirm');
  expect((await setUpApp(other)).outcome).toBe(refused);
  expect(await addPasskey(other, createAuthenticator({ origin }))).toBe(refused);
  expect(await outcomeOf(await other.send('POST', '/api/account/recovery-codes', {}))).toBe(refused);
  expect((await other.send('POST', '/auth/confirm', { password })).status).toBe(204);
  expect(await devices(other)).toBe(refused);
  const passkey = await usePasskey(other, authenticator);
  expect((await other.send('POST', '/auth/confirm', { passkey })).status).toBe(204);
  expect([await stateOf(other), await devices(other)]).toEqual([undefined, '200']);
  // A recovery code stands for the lost one.
  const lost = await signIn('cyd');
  expect((await lost.send('POST', '/auth/confirm', { code: codes[0]! })).status).toBe(204);
  expect(await devices(lost)).toBe('200');
});

test('a recovery code stands for no factor that the user has not', async () => {
  const { browser, codes } = await signUp('dot');
  expect((await browser.send('POST', '/auth/confirm', { code: codes[0]! })).status).toBe(204);
  expect([await stateOf(browser), await devices(browser)]).toEqual(['set_up', refused]);
});

test('of two sessions that set one up at once, the slower one does not', async () => {
  const { browser } = await signUp('eva');
  const other = await signIn('eva');
  const begun = await other.send('POST', '/api/account/passkeys/options', {});
  const credential = createAuthenticator({ origin }).create(await json<AskedToCreate>(begun));
  expect((await setUpApp(browser)).outcome).toBe('200');
  expect(await outcomeOf(await other.send('POST', '/api/account/passkeys', { name: 'phone', credential }))).toBe(
    refused,
  );
  expect(await stateOf(other)).toBe('confirm');
});

test('nor does a session whose user gets one in the same moment', async () => {
  const { browser } = await signUp('eve');
  await addPasskey(browser, createAuthenticator({ origin }));
  const read: Database['read'] = async (query) => (query.sql.includes('FROM passkeys p ') ? [] : server.db.read(query));
  const slow = await server.startAnother({ ...server.db, read });
  const other = browserOf(async (path, init) => slow.fetch(new Request(`${origin}${path}`, init)));
  await other.send('POST', '/auth/sign-in/username', { username: 'eve', password });
  expect(await stateOf(other)).toBe('set_up');
  expect(await addPasskey(other, createAuthenticator({ origin }))).toBe('401 session.missing');
  await slow.close();
});

test.each([
  ['before', 'own'],
  ['after', 'own'],
  ['before', 'other'],
  ['after', 'other'],
] as const)('turning the app on ends well if it is on %s it is looked up, by the %s session', async (moment, by) => {
  const name = `ed-${moment}-${by}`;
  await server.app.operator.addUser({ name, password });
  const browser = await signIn(name);
  const first = by === 'own' ? browser : await signIn(name);
  const { secret } = await json<NewTotp>(await browser.send('POST', '/api/account/totp', {}));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.now().getTime() });
  let isOn = false;
  const turnOn = async () => {
    isOn = true;
    expect((await first.send('POST', '/api/account/totp/confirm', { code })).status).toBe(200);
  };
  const read: Database['read'] = async (query) => {
    const isLookUp = !isOn && query.sql.startsWith('SELECT sealed');
    if (isLookUp && moment === 'before') await turnOn();
    const rows = await server.db.read<never>(query);
    if (isLookUp && moment === 'after') await turnOn();
    return rows;
  };
  const slow = await server.startAnother({ ...server.db, read });
  const late = browserOf(async (path, init) => slow.fetch(new Request(`${origin}${path}`, init)));
  for (const [cookie, value] of browser.cookies) late.cookies.set(cookie, value);
  const answer = await late.send('POST', '/api/account/totp/confirm', { code });
  expect([isOn, await outcomeOf(answer.clone())]).toEqual([true, by === 'own' ? '200' : '409 totp.exists']);
  if (by === 'own') expect((await json<NewRecoveryCodes>(answer)).recovery_codes).toHaveLength(10);
  expect(await devices(browser)).toBe(by === 'own' ? '200' : refused);
  await slow.close();
});

test('a sign-in with the app is not limited, nor is a session that has shown its code', async () => {
  const { browser } = await signUp('fay');
  const other = await signIn('fay');
  const { code } = await setUpApp(browser);
  server.wait(60_000);
  expect((await other.send('POST', '/auth/confirm', { totp: code() })).status).toBe(204);
  expect(await devices(other)).toBe('200');
  server.wait(60_000);
  const third = await signIn('fay');
  expect((await third.send('POST', '/auth/second-factor', { code: code() })).status).toBe(200);
  expect(await devices(third)).toBe('200');
});

test('the last one cannot be removed', async () => {
  const { browser } = await signUp('gil');
  const authenticator = createAuthenticator({ origin });
  await addPasskey(browser, authenticator);
  const remove = async () => outcomeOf(await browser.send('DELETE', `/api/account/passkeys/${authenticator.id}`));
  expect(await remove()).toBe('409 second_factor.last');
  await setUpApp(browser);
  expect(await remove()).toBe('204');
  expect(await outcomeOf(await browser.send('DELETE', '/api/account/totp'))).toBe('409 second_factor.last');
  expect(await devices(browser)).toBe('200');
});

test('a lost one is replaced after a recovery code', async () => {
  const { browser, codes } = await signUp('guy');
  await setUpApp(browser);
  const lost = await signIn('guy');
  expect((await lost.send('POST', '/auth/second-factor', { code: codes[0]! })).status).toBe(200);
  expect(await devices(lost)).toBe('200');
  expect(await outcomeOf(await lost.send('DELETE', '/api/account/totp'))).toBe('204');
  expect([await stateOf(lost), await devices(lost)]).toEqual(['set_up', refused]);
  server.wait(60_000);
  expect((await setUpApp(lost)).outcome).toBe('200');
  expect(await devices(lost)).toBe('200');
});

test('keys go on', async () => {
  const user = await server.signUp('hal');
  expect((await server.request('direct', user, { path: '/resources' })).status).toBe(200);
  expect(await outcomeOf(await server.request('gateway', user, { path: '/resources' }))).toBe(refused);
});

test('doctor counts the users without one', async () => {
  await using other = await createTestServer({ secondFactor: 'required' });
  await other.signUp('ann');
  await other.signUp('ben');
  const findings = await other.app.operator.examine();
  const finding = { part: 'second factor', state: 'ok', text: 'required; 2 of 2 users have none' };
  expect(findings).toContainEqual(finding);
});

test('a provider counts if it says that it has asked for two', async () => {
  await using provider = await startProvider();
  const { issuer, clientId, clientSecret } = provider;
  const home = { name: 'home', label: 'Home', scope: 'openid', operator: undefined, issuer, clientId, clientSecret };
  await using other = await createTestServer({ secondFactor: 'required', oidcProviders: [home] });
  const visit = async (browser: Browser, begun: Response) => {
    const url = begun.headers.get('location') ?? (await json<{ url: string }>(begun)).url;
    const back = await browser.send('GET', `/auth/oidc/home/callback${provider.visit(url)}`);
    return back.headers.get('location');
  };
  const enter = async (browser: Browser) => visit(browser, await browser.send('GET', '/auth/oidc/home'));
  const now = () => Math.floor(other.now().getTime() / 1000);
  provider.claims = { sub: 'ida there', amr: ['pwd'] };
  const browser = browserOf(other.fetch);
  expect(await enter(browser)).toBe('/sign-in?named=no');
  expect((await browser.send('POST', '/auth/sign-up/identity', { username: 'ida' })).status).toBe(201);
  expect(await devices(browser)).toBe(refused);
  expect(await outcomeOf(await browser.send('POST', '/auth/oidc/home', { purpose: 'link', next: '/' }))).toBe(refused);
  provider.claims = { sub: 'ida there', amr: ['pwd', 'otp', 'mfa'], auth_time: now() };
  await visit(browser, await browser.send('POST', '/auth/oidc/home', { purpose: 'confirm', next: '/' }));
  expect(await devices(browser)).toBe('200');
  const second = browserOf(other.fetch);
  await enter(second);
  expect(await devices(second)).toBe('200');
  provider.claims = { sub: 'ida there', amr: 'mfa' };
  const third = browserOf(other.fetch);
  await enter(third);
  expect(await devices(third)).toBe(refused);
  provider.claims = { sub: 'jon there', amr: ['mfa'] };
  const newcomer = browserOf(other.fetch);
  await enter(newcomer);
  expect((await newcomer.send('POST', '/auth/sign-up/identity', { username: 'jon' })).status).toBe(201);
  expect(await devices(newcomer)).toBe('200');
});
