// stores: SQLite, PostgreSQL in the long run
/** Sign-in by a provider, from the first request to the session. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OidcProvider } from '../../core/config/oidc-settings.ts';
import type { ActivityPage, Identity, NewRecoveryCodes } from '../../contract.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import { createServiceClient, outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer } from '../../tests/test-server.fixture.ts';
import { createAuthenticator, type AskedToCreate, type AskedToUse } from '../../tests/authenticator.fixture.ts';
import { newKey, startProvider, type TestProvider } from '../../tests/provider.fixture.ts';

let home: TestProvider;
let work: TestProvider;
let server: TestServer;
const settings = (
  name: string,
  { issuer, clientId, clientSecret }: TestProvider,
  rest: Partial<OidcProvider> = {},
) => ({
  name,
  label: name.toUpperCase(),
  issuer,
  clientId,
  clientSecret,
  scope: 'openid profile',
  operator: undefined,
  ...rest,
});
const byText = (one: unknown, other: unknown) => (String(one) < String(other) ? -1 : 1);
const operator = { claim: 'groups', value: 'operators' };
const start = (options: Parameters<typeof createTestServer>[0] = {}) =>
  createTestServer({ oidcProviders: [settings('home', home, { operator }), settings('work', work)], ...options });

beforeAll(async () => {
  [home, work] = [await startProvider(), await startProvider()];
  server = await start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** A browser, which keeps cookies. */
function browserOf(fetch: Fetch = server.fetch) {
  const cookies = new Map<string, string>();
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(path, {
      ...init,
      headers: { 'sec-fetch-site': 'same-origin', cookie, ...init.headers },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  const json = (method: string, path: string, body: object = {}) =>
    send(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return {
    cookies,
    send,
    post: (path: string, body?: object) => json('POST', path, body),
    put: (path: string, body: object) => json('PUT', path, body),
    remove: (path: string) => send(path, { method: 'DELETE' }),
    /** Follows to the provider and back. Returns where the app goes on. */
    async visit(provider: TestProvider, begun: Response, name = provider === home ? 'home' : 'work') {
      const url = begun.headers.get('location') ?? ((await begun.json()) as { url: string }).url;
      if (!url.startsWith(provider.issuer)) return url;
      const back = await send(`/auth/oidc/${name}/callback${provider.visit(url)}`, {
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect(back.status).toBe(303);
      return back.headers.get('location')!;
    },
    async user(): Promise<string | number> {
      const answer = await send('/api/account');
      return answer.ok ? ((await answer.json()) as { user_id: string }).user_id : answer.status;
    },
  };
}
type Browser = ReturnType<typeof browserOf>;

const isUser = (subject: string, more: object = {}) => (home.claims = work.claims = { sub: subject, ...more });
const signIn = async (browser: Browser, provider = home, query = '') =>
  browser.visit(provider, await browser.send(`/auth/oidc/${provider === home ? 'home' : 'work'}${query}`));

/** A user who has come by a provider. */
async function newcomer(name: string, { provider = home, fetch = server.fetch } = {}) {
  isUser(`${name} there`, { preferred_username: name });
  const browser = browserOf(fetch);
  expect(await signIn(browser, provider)).toBe('/sign-in?named=no');
  const created = await browser.post('/auth/sign-up/identity', { username: name });
  expect(created.status).toBe(201);
  return { browser, codes: ((await created.json()) as NewRecoveryCodes).recovery_codes };
}
async function withPassword(name: string) {
  const browser = browserOf();
  await browser.post('/auth/sign-up', { username: name, password });
  return browser;
}
const link = async (browser: Browser, provider = home, next = '/account') =>
  browser.visit(
    provider,
    await browser.post(`/auth/oidc/${provider === home ? 'home' : 'work'}`, { purpose: 'link', next }),
  );
const linked = async (browser: Browser) =>
  ((await (await browser.send('/api/account/identities')).json()) as { items: Identity[] }).items.map(
    ({ provider }) => provider,
  );

describe('a newcomer', () => {
  test.each([
    ['Jürgen Groß', 'jurgen-gross'],
    ['Łukasz', 'lukasz'],
    ['Søren Ærø', 'soren-aero'],
    ['İpek Đorđević', 'ipek-dordevic'],
  ])('%s is offered the user name %s', async (preferred_username, offered) => {
    isUser(`the subject ${offered}`, { preferred_username });
    const browser = browserOf();
    await signIn(browser, home);
    expect(await (await browser.send('/auth/sign-up/identity')).json()).toMatchObject({ user_id: offered });
  });

  test('chooses a user name, gets recovery codes, and is known the next time', async () => {
    isUser('a subject', { preferred_username: 'Ann.Müller@home.test' });
    const browser = browserOf();
    expect(await signIn(browser, home, '?next=/swarms')).toBe('/sign-in?named=no&next=%2Fswarms');
    expect(await (await browser.send('/auth/sign-up/identity')).json()).toEqual({
      provider: 'home',
      user_id: 'ann-muller',
    });
    expect(await browser.user()).toBe(401);
    expect(await outcomeOf(await browser.post('/auth/sign-up/identity', { username: 'x' }))).toBe(
      '400 sign_up.name_invalid',
    );
    const created = await browser.post('/auth/sign-up/identity', { username: 'Ann' });
    expect(created.status).toBe(201);
    const { recovery_codes: codes, set_id } = (await created.json()) as NewRecoveryCodes;
    expect(codes).toHaveLength(10);
    expect(await browser.user()).toBe('ann');
    expect(await (await browser.send('/api/account')).json()).toMatchObject({ unstored_codes: true });
    expect((await browser.put('/api/account/recovery-codes/stored', { set_id })).status).toBe(204);
    expect(await (await browser.send('/api/account')).json()).not.toHaveProperty('unstored_codes');
    expect(await outcomeOf(await browser.post('/auth/sign-up/identity', { username: 'ann2' }))).toBe(
      '400 sign_in.step_ended',
    );

    const other = browserOf();
    expect(await signIn(other, home, '?next=/swarms')).toBe('/swarms');
    expect(await other.user()).toBe('ann');
    const line = server.logged
      .map((text) => JSON.parse(text))
      .find(({ message, way }) => message === 'signed in' && way === 'home');
    expect(line).toMatchObject({ level: 'info', user: 'ann' });
  });

  test('ends the session that the browser had before', async () => {
    const browser = await withPassword('before');
    const copy = browserOf();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    isUser('after there');
    expect(await signIn(browser)).toBe('/sign-in?named=no');
    expect((await browser.post('/auth/sign-up/identity', { username: 'after' })).status).toBe(201);
    expect([await browser.user(), await copy.user()]).toEqual(['after', 401]);
  });

  test('is not taken for another one because of a name', async () => {
    const { browser } = await newcomer('bea');
    isUser('another subject', { preferred_username: 'bea', email: 'bea@home.test' });
    const other = browserOf();
    expect(await signIn(other)).toBe('/sign-in?named=no');
    expect(await outcomeOf(await other.post('/auth/sign-up/identity', { username: 'bea' }))).toBe(
      '409 sign_up.name_taken',
    );
    expect([await browser.user(), await other.user()]).toEqual(['bea', 401]);
  });

  test('with the same subject at another provider is another one', async () => {
    await newcomer('cleo');
    expect(await signIn(browserOf(), work)).toBe('/sign-in?named=no');
  });

  test('has no password, but can choose one with a recovery code', async () => {
    const { codes } = await newcomer('dan');
    const enter = (typed: string) => browserOf().post('/auth/sign-in/username', { username: 'dan', password: typed });
    expect((await enter('')).status).toBe(401);
    const recovered = await browserOf().post('/auth/recover', {
      username: 'dan',
      code: codes[0]!,
      newPassword: password,
    });
    expect([recovered.status, (await enter(password)).status]).toEqual([204, 200]);
  });

  test('gets a link of the operator, by which a first password is chosen, once', async () => {
    await newcomer('dot');
    const { url } = await server.app.operator.createLink({ name: 'dot' });
    const code = decodeURIComponent(url.split('#link=')[1]!);
    const use = () => browserOf().post('/auth/password-link/use', { code, newPassword: password });
    expect([(await use()).status, (await use()).status]).toEqual([204, 404]);
  });

  test('is told that the server is closed, and known users get in', async () => {
    await using closed = await start({ signUp: 'closed' });
    isUser('stranger');
    expect(await signIn(browserOf(closed.fetch))).toBe('/sign-in?refused=sign_up.closed&provider=home');
    await closed.app.operator.addUser({ name: 'eli', password });
    const browser = browserOf(closed.fetch);
    await browser.post('/auth/sign-in/username', { username: 'eli', password });
    await link(browser);
    const known = browserOf(closed.fetch);
    expect(await signIn(known)).toBe('/');
    expect(await known.user()).toBe('eli');
  });
});

describe('linking', () => {
  test('adds a way to sign in to the account, and Activity tells it', async () => {
    const browser = await withPassword('fay');
    isUser('fay there');
    expect(await link(browser)).toBe('/account');
    expect(await linked(browser)).toEqual(['home']);
    const other = browserOf();
    await signIn(other);
    expect(await other.user()).toBe('fay');
    expect(await link(browser)).toBe('/account');
    const { key } = await server.app.operator.createKey({ user: 'fay', name: 'test' });
    const user = { name: 'fay', key, cookie: '' };
    const client = createServiceClient('fay', (asked) => server.request('direct', user, asked));
    const { items } = await client.get<ActivityPage>('/activity');
    expect(items.filter(({ kind }) => kind === 'account.identity_linked')).toMatchObject([{ detail: 'HOME' }]);
  });

  test('an account of the provider that is linked to somebody else is refused', async () => {
    await newcomer('gus');
    const browser = await withPassword('hal');
    expect(await link(browser)).toBe('/account?refused=identity.taken&provider=home#signing-in');
    expect(await linked(browser)).toEqual([]);
  });

  test('a second account of the same provider is refused', async () => {
    const browser = await withPassword('ida');
    isUser('ida there');
    await link(browser);
    isUser('ida there too');
    expect(await link(browser)).toBe('/account?refused=identity.exists&provider=home#signing-in');
  });

  test('needs the session that began it', async () => {
    const browser = await withPassword('jon');
    isUser('jon there');
    const begun = await browser.post('/auth/oidc/home', { purpose: 'link', next: '/account' });
    await browser.post('/auth/sign-in/username', { username: 'jon', password });
    expect(await browser.visit(home, begun)).toBe('/account?refused=sign_in.step_ended&provider=home#signing-in');
    expect(await linked(browser)).toEqual([]);
  });

  test('cannot be begun by another site, without a session, or long after the sign-in', async () => {
    const browser = await withPassword('kim');
    const begin = (init: object = {}) =>
      browser.send('/auth/oidc/home', {
        method: 'POST',
        body: JSON.stringify({ purpose: 'link', next: '/' }),
        ...init,
        headers: { 'content-type': 'application/json', ...('headers' in init ? (init.headers as object) : {}) },
      });
    expect(await outcomeOf(await begin({ headers: { 'sec-fetch-site': 'cross-site' } }))).toBe('403 origin.refused');
    expect(await outcomeOf(await browserOf().post('/auth/oidc/home', { purpose: 'link', next: '/' }))).toBe(
      '401 session.missing',
    );
    await using later = await start();
    const old = browserOf(later.fetch);
    await old.post('/auth/sign-up', { username: 'kim', password });
    later.wait(11 * minuteMs);
    expect(await outcomeOf(await old.post('/auth/oidc/home', { purpose: 'link', next: '/' }))).toBe(
      '403 session.confirm',
    );
  });
});

describe('unlinking', () => {
  test('ends the way to sign in', async () => {
    const browser = await withPassword('lea');
    isUser('lea there');
    await link(browser);
    expect((await browser.remove('/api/account/identities/home')).status).toBe(204);
    expect(await signIn(browserOf())).toBe('/sign-in?named=no');
    expect(await outcomeOf(await browser.remove('/api/account/identities/home'))).toBe('404 identity.not_found');
  });

  test('of the last way to sign in is refused, also at once', async () => {
    const { browser } = await newcomer('mia');
    expect(await outcomeOf(await browser.remove('/api/account/identities/home'))).toBe('409 sign_in.last_way');
    await link(browser, work);
    const both = await Promise.all(['home', 'work'].map((name) => browser.remove(`/api/account/identities/${name}`)));
    expect((await Promise.all(both.map(outcomeOf))).toSorted()).toEqual(['204', '409 sign_in.last_way']);
    expect(await linked(browser)).toHaveLength(1);
  });
});

describe('what is refused', () => {
  test('goes back to the page of the sign-in, which says why', async () => {
    isUser('nan there', { aud: 'another' });
    expect(await signIn(browserOf(), home, '?next=/swarms')).toBe(
      '/sign-in?refused=provider.refused&provider=home&next=%2Fswarms',
    );
    expect((await browserOf().send('/auth/oidc/unknown?next=/swarms')).headers.get('location')).toBe(
      '/sign-in?refused=provider.not_found&provider=unknown&next=%2Fswarms',
    );
    expect(server.logged.join('')).toContain('sign-in by a provider failed');
  });

  test('is a return without the browser that began it, or with the step of another provider', async () => {
    isUser('oda there');
    const [one, other] = [browserOf(), browserOf()];
    const begun = await one.send('/auth/oidc/home');
    expect(await other.visit(home, begun)).toBe('/sign-in?refused=sign_in.step_ended&provider=home');
    expect(await one.visit(home, begun, 'work')).toBe('/sign-in?refused=sign_in.step_ended&provider=work');
  });

  test('is a disabled user', async () => {
    await newcomer('pam');
    await server.app.operator.disableUser({ name: 'pam' });
    expect(await signIn(browserOf())).toBe('/sign-in?refused=sign_in.disabled&provider=home');
  });

  test.each(['https://elsewhere.test/', '//elsewhere.test', '/\\elsewhere.test', '/.//elsewhere.test', 'javascript:1'])(
    'is another site as the next page: %s',
    async (next) => {
      const browser = browserOf();
      isUser('ann of the pages', {});
      const to = await signIn(browser, home, `?next=${encodeURIComponent(next)}`);
      expect(to).toBe('/sign-in?named=no');
    },
  );
});

test('after a change of the provider’s keys, the browser goes there once more and is signed in', async () => {
  await newcomer('quy');
  home.keys = [newKey()];
  const browser = browserOf();
  const begun = await browser.send('/auth/oidc/home?next=/swarms');
  const again = await browser.visit(home, begun);
  expect(again).toContain(`${home.issuer}/authorize`);
  const back = await browser.send(`/auth/oidc/home/callback${home.visit(again)}`);
  expect([back.headers.get('location'), await browser.user()]).toEqual(['/swarms', 'quy']);
});

test('two tabs of a browser at a provider both come back', async () => {
  await newcomer('pia');
  const browser = browserOf();
  // Both tabs begin before one has an answer, as when a browser opens its tabs again.
  const begun = await Promise.all(['/swarms', '/map'].map((next) => browser.send(`/auth/oidc/home?next=${next}`)));
  expect(await browser.visit(home, begun[0]!)).toBe('/swarms');
  expect(await browser.user()).toBe('pia');
  expect(await browser.visit(home, begun[1]!)).toBe('/map');
  expect(await browser.user()).toBe('pia');
  expect([...browser.cookies.keys()].filter((name) => name.includes('.provider'))).toEqual([]);
});

test('a browser that begins again and again keeps its newest four sign-ins', async () => {
  await newcomer('pip');
  const browser = browserOf();
  const begun: Response[] = [];
  for (let count = 0; count < 7; count += 1) begun.push(await browser.send('/auth/oidc/home'));
  expect([...browser.cookies.keys()].filter((name) => name.includes('.provider'))).toHaveLength(4);
  const places: string[] = [];
  for (const each of begun) places.push(await browser.visit(home, each));
  const ended = '/sign-in?refused=sign_in.step_ended&provider=home';
  expect(places).toEqual([ended, ended, ended, '/', '/', '/', '/']);
});

test('a provider that is down refuses its own users, and nobody else notices', async () => {
  const closed = await startProvider();
  await closed[Symbol.asyncDispose]();
  await using half = await start({ oidcProviders: [settings('home', closed), settings('work', work)] });
  isUser('ray there');
  const [refused, known] = [browserOf(half.fetch), browserOf(half.fetch)];
  const [one, other] = await Promise.all([signIn(refused), signIn(known, work)]);
  expect([one, other]).toEqual(['/sign-in?refused=provider.away&provider=home', '/sign-in?named=no']);
  expect((await known.post('/auth/sign-up', { username: 'ray', password })).status).toBe(201);
});

test('of many returns with the same step at once, also on two processes, one is signed in', async () => {
  await newcomer('sal');
  const another = await server.startAnother(server.db);
  const elsewhere: Fetch = (path, init) => Promise.resolve(another.fetch(new Request(`${origin}${path}`, init)));
  const browser = browserOf();
  const url = (await browser.send('/auth/oidc/home')).headers.get('location')!;
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  // The provider accepts each code once: here are as many codes as requests.
  const answers = await Promise.all(
    [server.fetch, elsewhere, server.fetch, elsewhere].map((fetch) =>
      fetch(`/auth/oidc/home/callback${home.visit(url)}`, { headers: { cookie } }),
    ),
  );
  const places = answers.map(({ headers }) => headers.get('location'));
  expect(places.toSorted(byText)).toEqual(['/', ...Array(3).fill('/sign-in?refused=sign_in.step_ended&provider=home')]);
  await another.close();
});

describe('the role of an operator', () => {
  const roleOf = async (name: string) => (await server.app.operator.showUser({ name })).role;
  const enter = async (groups: string[], name: string) => {
    isUser(`${name} there`, { groups });
    await signIn(browserOf());
    return roleOf(name);
  };

  test('comes and goes with the claim, at each sign-in', async () => {
    await newcomer('tom');
    expect(await enter(['operators'], 'tom')).toBe('operator');
    expect(await enter(['users'], 'tom')).toBeNull();
    expect(await enter(['operators', 'users'], 'tom')).toBe('operator');
  });

  test('does not stay by a profile that did not answer, and its user gets in', async () => {
    await newcomer('tea');
    expect(await enter(['operators'], 'tea')).toBe('operator');
    home.answers['/profile'] = (_, response) => response.writeHead(500).end();
    isUser('tea there');
    const browser = browserOf();
    const to = await signIn(browser);
    home.answers = {};
    expect([to, await browser.user(), await roleOf('tea')]).toEqual(['/', 'tea', null]);
  });

  test('stays if it did not come by the claim', async () => {
    await newcomer('uli');
    await server.app.operator.setRole({ name: 'uli', role: 'operator' });
    expect(await enter([], 'uli')).toBe('operator');
  });

  test('goes with the identity, and with the setting', async () => {
    const browser = await withPassword('val');
    isUser('val there', { groups: ['operators'] });
    await link(browser);
    expect(await roleOf('val')).toBe('operator');
    await browser.remove('/api/account/identities/home');
    expect(await roleOf('val')).toBeNull();

    await newcomer('vic');
    expect(await enter(['operators'], 'vic')).toBe('operator');
    await using app = await server.restart();
    await app.tidy();
    expect(await roleOf('vic')).toBe('operator');
    await server.db.write([{ sql: `UPDATE "user" SET role_from = 'former' WHERE username = 'vic'` }]);
    await app.tidy();
    expect(await roleOf('vic')).toBeNull();
  });
});

test('a sign-in by a provider that may have known the browser confirms nothing', async () => {
  await newcomer('xen');
  const create = async (claims: object) => {
    isUser('xen there', claims);
    const browser = browserOf();
    await signIn(browser);
    return outcomeOf(await browser.post('/api/account/keys', { name: 'new' }));
  };
  const now = Math.floor(Date.now() / 1000);
  expect(await create({})).toBe('403 session.confirm');
  expect(await create({ auth_time: now - 3600 })).toBe('403 session.confirm');
  expect(await create({ auth_time: now })).toBe('201');
});

/** An authenticator app whose codes nobody knows. */
const addApp = ({ db }: TestServer, name: string) =>
  db.write([
    {
      sql: 'INSERT INTO totp (user_id, sealed, last_step, confirmed_at) VALUES ($1, $2, 0, $3)',
      params: [name, Buffer.from('sealed'), new Date().toISOString()],
    },
  ]);

test('a user with an authenticator app is asked for its code, and the step is taken once', async () => {
  const { codes } = await newcomer('xia');
  await addApp(server, 'xia');
  const browser = browserOf();
  expect(await signIn(browser, home, '?next=/swarms')).toBe('/sign-in?second=1&next=%2Fswarms');
  expect(await browser.user()).toBe(401);
  expect((await browser.post('/auth/second-factor', { code: codes[0] })).status).toBe(200);
  expect(await browser.user()).toBe('xia');
});

test('a browser that has a session of the user is no new one', async () => {
  const { browser } = await newcomer('yve');
  browser.cookies.delete('__Host-swarmdeck.browser');
  expect(await signIn(browser)).toBe('/');
  const kinds = async () => {
    const { items } = (await (await browser.send('/api/activity')).json()) as ActivityPage;
    return items.map(({ kind }) => kind);
  };
  expect(await kinds()).not.toContain('account.signed_in_new');
  const another = browserOf();
  expect(await signIn(another)).toBe('/');
  expect(await kinds()).toContain('account.signed_in_new');
});

test('a picture on another site begins nothing', async () => {
  const answer = await server.fetch('/auth/oidc/home', { headers: { 'sec-fetch-dest': 'image' } });
  expect(await outcomeOf(answer)).toBe('403 origin.refused');
});

describe('a confirmation by the provider', () => {
  const confirm = async (browser: Browser) =>
    browser.visit(home, await browser.post('/auth/oidc/home', { purpose: 'confirm', next: '/account#keys' }));
  const seconds = () => Math.floor(Date.now() / 1000);

  test('counts if the provider says that the user has signed in just now', async () => {
    const { browser } = await newcomer('wim');
    await server.db.write([{ sql: 'UPDATE session SET confirmed_at = NULL' }]);
    const before = [...browser.cookies.values()];
    isUser('wim there', { auth_time: seconds() });
    expect(await confirm(browser)).toBe('/account#keys');
    expect([...browser.cookies.values()]).not.toEqual(before);
    expect((await browser.post('/api/account/keys', { name: 'new' })).status).toBe(201);
  });

  test('does not count without a time, or by another account of the provider', async () => {
    const { browser } = await newcomer('xav');
    isUser('xav there');
    expect(await confirm(browser)).toBe('/account?refused=confirm.not_fresh&provider=home#signing-in');
    isUser('another', { auth_time: seconds() });
    expect(await confirm(browser)).toBe('/account?refused=identity.differs&provider=home#signing-in');
  });
});

describe('signing out', () => {
  test('tells a user of a provider where to sign out there', async () => {
    home.description = { end_session_endpoint: `${home.issuer}/end` };
    await using fresh = await start();
    const { browser } = await newcomer('yan', { fetch: fresh.fetch });
    const answer = await browser.post('/auth/sign-out');
    expect(await answer.json()).toEqual({ url: expect.stringContaining(`${home.issuer}/end?`) });
    expect(await browser.user()).toBe(401);
    const local = browserOf(fresh.fetch);
    await local.post('/auth/sign-up', { username: 'zoe', password });
    expect((await local.post('/auth/sign-out')).status).toBe(204);
    home.description = {};
  });
});

describe('with OIDC_ONLY', () => {
  let only: TestServer;
  beforeAll(async () => {
    only = await start({ oidcOnly: true });
  });
  afterAll(() => only[Symbol.asyncDispose]());

  test('there are no passwords and no other sign-up', async () => {
    const browser = browserOf(only.fetch);
    expect(await (await browser.send('/auth/options')).json()).toEqual({
      sign_up: 'open',
      passwords: false,
      passkeys: true,
      mail_link: false,
      providers: [
        { name: 'home', label: 'HOME' },
        { name: 'work', label: 'WORK' },
      ],
    });
    const refused = '403 sign_in.provider_only';
    await only.app.operator.addUser({ name: 'abe', password });
    expect(await outcomeOf(await browser.post('/auth/sign-in/username', { username: 'abe', password }))).toBe(refused);
    expect(await outcomeOf(await browser.post('/auth/sign-up', { username: 'abe2', password }))).toBe(refused);
    const code = { username: 'abe', code: 'abcd', newPassword: password };
    expect(await outcomeOf(await browser.post('/auth/recover', code))).toBe(refused);
  });

  test('a linked user signs in with a passkey, whatever the provider does', async () => {
    const { browser } = await newcomer('abi', { fetch: only.fetch });
    const authenticator = createAuthenticator({ origin });
    const asked = (await (await browser.post('/api/account/passkeys/options')).json()) as AskedToCreate;
    const added = { name: 'phone', credential: authenticator.create(asked) };
    expect((await browser.post('/api/account/passkeys', added)).status).toBe(201);
    const other = browserOf(only.fetch);
    const request = (await (await other.post('/auth/sign-in/passkey/options')).json()) as AskedToUse;
    const credential = authenticator.get(request);
    expect((await other.post('/auth/sign-in/passkey', { credential })).status).toBe(200);
    expect(await other.user()).toBe('abi');
  });

  test('a link of the operator lets a user in, once, so that a dead provider locks nobody out', async () => {
    const { codes } = await newcomer('ben', { fetch: only.fetch });
    expect(codes).toHaveLength(10);
    const { url } = await only.app.operator.createLink({ name: 'ben' });
    const code = decodeURIComponent(url.split('#link=')[1]!);
    const browsers = [browserOf(only.fetch), browserOf(only.fetch), browserOf(only.fetch)];
    const used = await Promise.all(browsers.map((each) => each.post('/auth/password-link/use', { code })));
    expect(used.map(({ status }) => status).toSorted(byText)).toEqual([204, 404, 404]);
    const users = await Promise.all(browsers.map((each) => each.user()));
    expect(users.toSorted(byText)).toEqual([401, 401, 'ben']);
  });

  test('a link of the operator does not stand for the code of an authenticator app', async () => {
    const { codes } = await newcomer('bea', { fetch: only.fetch });
    await addApp(only, 'bea');
    const { url } = await only.app.operator.createLink({ name: 'bea' });
    const code = decodeURIComponent(url.split('#link=')[1]!);
    const browser = browserOf(only.fetch);
    const used = await browser.post('/auth/password-link/use', { code });
    expect(await used.json()).toEqual({ second_factor: true });
    expect(await browser.user()).toBe(401);
    expect(await outcomeOf(await browser.post('/auth/password-link/use', { code }))).toBe(
      '404 password_link.not_found',
    );
    expect((await browser.post('/auth/second-factor', { code: codes[0] })).status).toBe(200);
    expect(await browser.user()).toBe('bea');
  });

  test('a password is no way to sign in, so the only provider stays', async () => {
    const { browser, codes } = await newcomer('cas', { fetch: only.fetch });
    expect(codes).toHaveLength(10);
    expect(await outcomeOf(await browser.remove('/api/account/identities/home'))).toBe('409 sign_in.last_way');
  });
});
