import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OidcProvider } from '../../core/config/oidc-settings.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import { Problem } from '../../core/problem.ts';
import { newKey, signedToken, startProvider, type TestProvider } from '../../tests/provider.fixture.ts';
import { findingOf } from './capability.ts';
import { createProviders } from './providers.ts';

let provider: TestProvider;
let waited = 0;
let warned: unknown[] = [];
beforeEach(async () => {
  provider = await startProvider();
  warned = [];
  waited = 0;
});
afterEach(() => provider[Symbol.asyncDispose]());

const settingsOf = (changed: Partial<OidcProvider> = {}): OidcProvider => ({
  name: 'home',
  label: 'Home',
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  scope: 'openid profile',
  operator: undefined,
  ...changed,
});
const providersOf = (settings = settingsOf(), timeoutSeconds = 5) =>
  createProviders({
    providers: [settings],
    publicUrl: 'https://swarmdeck.test',
    now: () => new Date(Date.now() + waited),
    warn: (...line) => void warned.push(line),
    timeoutSeconds,
  });
type Providers = ReturnType<typeof providersOf>;

/** A whole sign-in; `search` changes the query with which the browser comes back. */
async function visit(providers: Providers, { isFresh = false, search = (query: string) => query } = {}) {
  const settings = providers.require('home');
  const { url, checks } = await providers.begin(settings, { isFresh });
  return providers.finish(settings, { search: search(provider.visit(url)), checks, isFresh });
}
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );

async function closedAddress() {
  await using other = await startProvider();
  return other.issuer;
}

test('a user who has signed in there is identified, and told nothing more than needed', async () => {
  const providers = providersOf();
  const { url } = await providers.begin(providers.require('home'), { isFresh: false });
  const { searchParams } = new URL(url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'swarmdeck',
    redirect_uri: 'https://swarmdeck.test/auth/oidc/home/callback',
    scope: 'openid profile',
    code_challenge_method: 'S256',
  });
  expect(searchParams.has('response_mode')).toBe(false);
  provider.claims = { preferred_username: 'Ann' };
  expect(await visit(providers)).toEqual({
    subject: 'ann of the provider',
    preferredName: 'Ann',
    isOperator: undefined,
    isFresh: false,
    hasTwoFactors: false,
  });
});

describe('what the provider says of itself', () => {
  const asked = () => provider.asked.filter((path) => path.startsWith('/.well-known'));

  test('is read with the first sign-in, and again after an hour', async () => {
    const providers = providersOf();
    expect(asked()).toHaveLength(0);
    await Promise.all([visit(providers), visit(providers)]);
    await visit(providers);
    expect(asked()).toHaveLength(1);
    waited += 61 * minuteMs;
    await visit(providers);
    expect(asked()).toHaveLength(2);
  });

  test('may be read later: a provider that was down when the server started is asked again', async () => {
    const providers = providersOf();
    provider.answers['/.well-known/openid-configuration'] = (_, response) => response.writeHead(503).end();
    expect(await refusalOf(visit(providers))).toBe('provider.away');
    expect(await refusalOf(visit(providers))).toBe('provider.away');
    expect(asked()).toHaveLength(1);
    provider.answers = {};
    waited += 5001;
    expect(await visit(providers)).toMatchObject({ subject: 'ann of the provider' });
  });

  test('may name one way only to send the secret', async () => {
    provider.description = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    let sent = '';
    provider.answers['/token'] = (request, response) => {
      request.on('data', (part) => (sent += String(part)));
      request.on('end', () => response.writeHead(400).end());
    };
    expect(await refusalOf(visit(providersOf()))).toBe('provider.refused');
    expect(new URLSearchParams(sent).get('client_secret')).toBe(provider.clientSecret);
  });
});

describe('a provider that lies is refused:', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;
  const lies: Record<string, () => void> = {
    'another issuer in its description': () => (provider.description = { issuer: 'https://elsewhere.test' }),
    'no JSON': () => (provider.answers['/token'] = (_, response) => response.end('<html>')),
    'a token of another issuer': () => (provider.claims = { iss: 'https://elsewhere.test' }),
    'a token for another client': () => (provider.claims = { aud: 'another' }),
    'a token for several clients, requested by another': () =>
      (provider.claims = { aud: ['another', 'swarmdeck'], azp: 'another' }),
    'another nonce': () => (provider.claims = { nonce: 'another' }),
    'no nonce': () => (provider.claims = { nonce: undefined }),
    'an expired token': () => (provider.claims = { iat: past - 300, exp: past }),
    'a token of the future': () => (provider.claims = { iat: past + 2 * 3600, nbf: past + 2 * 3600 }),
    'no subject': () => (provider.claims = { sub: undefined }),
    'an empty subject': () => (provider.claims = { sub: '', preferred_username: 'Ann' }),
    'an endless subject': () => (provider.claims = { sub: 'x'.repeat(256) }),
    'a subject that a database cannot store': () => (provider.claims = { sub: 'ann\u0000' }),
    'a subject that is no text': () => (provider.claims = { sub: { ann: true } }),
    'no token': () => {
      provider.answers['/token'] = (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ access_token: 'x', token_type: 'Bearer' }));
    },
    'a token that another key has signed': () => {
      const forged = newKey(provider.keys[0]!.kid);
      provider.sign = (claims) => signedToken({ claims, key: forged });
    },
    'a token without a signature': () => {
      provider.sign = (claims) =>
        signedToken({ claims, key: provider.keys[0]!, header: { alg: 'none' } }).replace(/[^.]*$/, '');
    },
    'a token that is signed with the secret of the client': () => {
      provider.sign = (claims) => {
        const [header, payload] = signedToken({ claims, key: provider.keys[0]!, header: { alg: 'HS256' } }).split('.');
        const content = `${header}.${payload}`;
        return `${content}.${createHmac('sha256', provider.clientSecret).update(content).digest('base64url')}`;
      };
    },
    'a changed token': () => {
      provider.sign = (claims) => {
        const [header, , signature] = signedToken({ claims, key: provider.keys[0]! }).split('.');
        return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'bob' })).toString('base64url')}.${signature}`;
      };
    },
    'the profile of another user': () => (provider.profile = { sub: 'bob' }),
    'more than a megabyte': () => (provider.answers['/token'] = (_, response) => response.end('x'.repeat(2_000_000))),
    'a redirect to another host': () =>
      (provider.answers['/token'] = (_, response) =>
        response.writeHead(307, { location: 'https://elsewhere.test' }).end()),
  };
  test.each(Object.keys(lies))('%s', async (lie) => {
    lies[lie]!();
    expect(await refusalOf(visit(providersOf()))).toBe('provider.refused');
    expect(warned).toEqual([
      ['sign-in by a provider failed', { provider: 'home', reason: expect.stringMatching(/./) }],
    ]);
    expect(JSON.stringify(warned)).not.toContain('ann of the provider');
  });

  test.each([
    ['of another provider', (query: string) => query.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Felsewhere.test')],
    ['without a provider', (query: string) => query.replace(/&iss=[^&]*/, '')],
    ['with another state', (query: string) => query.replace(/state=[^&]*/, 'state=another')],
    ['with two codes', (query: string) => `${query}&code=another`],
    ['with an unknown code', (query: string) => query.replace(/code=[^&]*/, 'code=another')],
    ['with the error of a server', () => '?error=server_error'],
  ])('the browser comes back %s', async (_case, search) => {
    expect(await refusalOf(visit(providersOf(), { search }))).toBe('provider.refused');
  });
});

test('a provider whose pushed requests are required gets them', async () => {
  const pushed: URLSearchParams[] = [];
  provider.description = {
    require_pushed_authorization_requests: true,
    pushed_authorization_request_endpoint: `${provider.issuer}/push`,
  };
  provider.answers['/push'] = (request, response) => {
    let sent = '';
    request.on('data', (part) => (sent += String(part)));
    request.on('end', () => {
      pushed.push(new URLSearchParams(sent));
      response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ request_uri: 'urn:pushed', expires_in: 60 }));
    });
  };
  const providers = providersOf();
  const { url, checks } = await providers.begin(providers.require('home'), { isFresh: false });
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ client_id: 'swarmdeck', request_uri: 'urn:pushed' });
  expect(pushed.map((sent) => sent.get('state'))).toEqual([checks.state]);
});

test('the log has the sentence with which a provider sends a browser back', async () => {
  const search = (query: string) =>
    query.replace(/code=[^&]*/, 'error=invalid_request&error_description=Pushed+requests+only');
  expect(await refusalOf(visit(providersOf(), { search }))).toBe('provider.refused');
  expect(warned).toEqual([
    ['sign-in by a provider failed', { provider: 'home', reason: expect.stringContaining('Pushed requests only') }],
  ]);
});

test('the log has the address that gave a wrong answer', async () => {
  provider.answers['/token'] = (_, response) => response.writeHead(401).end();
  expect(await refusalOf(visit(providersOf()))).toBe('provider.refused');
  expect(JSON.stringify(warned)).toContain(`status 401 of ${provider.issuer}/token`);
});

describe('the token is enough if the profile', () => {
  const operator = { claim: 'groups', value: 'operators' };
  const faults: Record<string, [fault: () => void, reason: string]> = {
    'answers 401': [() => answer(401), 'status 401'],
    'answers 401 with a challenge': [
      () =>
        (provider.answers['/profile'] = (_, response) =>
          response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()),
      'status 401',
    ],
    'answers 403': [() => answer(403), 'status 403'],
    'answers 500': [() => answer(500), 'status 500'],
    'is no JSON': [() => (provider.answers['/profile'] = (_, response) => response.end('<html>')), 'content-type'],
    'has no subject': [() => answer(200, 'application/json'), '"sub"'],
    'does not answer': [() => (provider.answers['/profile'] = (request) => request.destroy()), 'fetch failed'],
  };
  const answer = (status: number, type = 'text/plain') =>
    (provider.answers['/profile'] = (_, response) =>
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify({ groups: ['operators'] })));

  test.each(Object.keys(faults))('%s', async (name) => {
    const [fault, reason] = faults[name]!;
    fault();
    expect(await visit(providersOf(settingsOf({ operator })))).toMatchObject({
      subject: 'ann of the provider',
      preferredName: '',
      isOperator: false,
    });
    expect(warned).toEqual([
      [
        'the profile of a provider cannot be read',
        { provider: 'home', address: `${provider.issuer}/profile`, reason: expect.stringMatching(reason) },
      ],
    ]);
  });

  test('answers 401, and what the token says counts', async () => {
    answer(401);
    provider.claims = { groups: ['operators'] };
    expect(await visit(providersOf(settingsOf({ operator })))).toMatchObject({ isOperator: true });
  });
});

test('a user who cancels the sign-in there is not told that the provider is broken', async () => {
  const search = (query: string) => query.replace(/code=[^&]*/, 'error=access_denied');
  expect(await refusalOf(visit(providersOf(), { search }))).toBe('sign_in.cancelled');
});

test('a code works once, and only with the verifier of the browser that asked for it', async () => {
  const providers = providersOf();
  const settings = providers.require('home');
  const [one, other] = [
    await providers.begin(settings, { isFresh: false }),
    await providers.begin(settings, { isFresh: false }),
  ];
  const stolen = { ...one.checks, verifier: other.checks.verifier };
  const finish = (search: string, checks = one.checks) =>
    refusalOf(providers.finish(settings, { search, checks, isFresh: false }));
  expect(await finish(provider.visit(one.url), stolen)).toBe('provider.refused');
  const search = provider.visit(one.url);
  expect([await finish(search), await finish(search)]).toEqual(['accepted', 'provider.refused']);
});

test('after a change of its keys, the next round knows the new ones', async () => {
  const providers = providersOf();
  await visit(providers);
  provider.keys = [newKey()];
  expect(await visit(providers)).toBeUndefined();
  expect(await visit(providers)).toMatchObject({ subject: 'ann of the provider' });
});

describe('a provider that is', () => {
  test('slow is not waited for', async () => {
    provider.answers['/token'] = () => {};
    expect(await refusalOf(visit(providersOf(settingsOf(), 0.1)))).toBe('provider.away');
    provider.answers = { '/.well-known/openid-configuration': () => {} };
    expect(await refusalOf(visit(providersOf(settingsOf(), 0.1)))).toBe('provider.away');
  });

  test('slow in the middle of an answer is not waited for', async () => {
    provider.answers['/token'] = (_, response) => void response.writeHead(200).write('{');
    expect(await refusalOf(visit(providersOf(settingsOf(), 0.1)))).toBe('provider.away');
  });

  test.each([408, 425, 429, 503])('busy may be tried again: %s', async (status) => {
    provider.answers['/token'] = (_, response) => void response.writeHead(status).end();
    expect(await refusalOf(visit(providersOf()))).toBe('provider.away');
  });

  test('down refuses its users, and a check says why', async () => {
    const providers = providersOf(settingsOf({ issuer: await closedAddress() }));
    expect(await refusalOf(visit(providers))).toBe('provider.away');
    expect(await providers.examine()).toEqual([{ name: 'home', failure: expect.stringContaining('ECONNREFUSED') }]);
    expect(await providersOf().examine()).toEqual([{ name: 'home', failure: undefined }]);
  });
});

describe('a provider that decides who is an operator', () => {
  const operator = { claim: 'groups', value: 'swarm operators' };

  test.each([
    ['one of several values', ['users', 'swarm operators'], true],
    ['the only value', 'swarm operators', true],
    ['other values', ['users'], false],
    ['a part of a value', 'swarm operators of another', false],
    ['something else', { 'swarm operators': true }, false],
    ['nothing', undefined, false],
  ])('says so by %s', async (_case, groups, isOperator) => {
    provider.claims = { groups };
    expect(await visit(providersOf(settingsOf({ operator })))).toMatchObject({ isOperator });
  });

  test.each([
    ['realm_access.roles', { realm_access: { roles: ['offline_access', 'swarm operators'] } }, true],
    ['realm_access.roles', { realm_access: { roles: ['offline_access'] } }, false],
    ['realm_access.roles', { realm_access: ['swarm operators'] }, false],
    ['realm_access.roles', { realm_access: null }, false],
    ['resource_access.my.app.roles', { resource_access: { 'my.app': { roles: ['swarm operators'] } } }, true],
    ['https://home.test/roles', { 'https://home.test/roles': ['swarm operators'] }, true],
    ['a.b', { a: { b: ['x'] }, 'a.b': 'swarm operators' }, true],
    ['constructor.name', {}, false],
  ])('may say so inside of a claim: %s of %j', async (claim, claims, isOperator) => {
    provider.claims = claims;
    const nested = { claim, value: 'swarm operators' };
    expect(await visit(providersOf(settingsOf({ operator: nested })))).toMatchObject({ isOperator });
    provider.claims = {};
    provider.profile = claims;
    expect(await visit(providersOf(settingsOf({ operator: nested })))).toMatchObject({ isOperator });
  });

  test('may say so in the profile', async () => {
    provider.profile = { groups: ['swarm operators'], preferred_username: 'ann' };
    expect(await visit(providersOf(settingsOf({ operator })))).toMatchObject({
      isOperator: true,
      preferredName: 'ann',
    });
  });
});

describe('a confirmation', () => {
  const now = () => Math.floor(Date.now() / 1000);

  test('asks for a new sign-in there, and needs its time', async () => {
    const providers = providersOf();
    const { url } = await providers.begin(providers.require('home'), { isFresh: true });
    expect(new URL(url).searchParams.get('max_age')).toBe('0');
    provider.claims = { auth_time: now() };
    expect(await visit(providers, { isFresh: true })).toMatchObject({ subject: 'ann of the provider' });
  });

  test.each([-120, 120])('compares the clock of the provider with itself: it is wrong by %d s', async (wrong) => {
    const claims = { iat: now() + wrong, exp: now() + wrong + 300 };
    provider.claims = { ...claims, auth_time: now() + wrong };
    expect(await visit(providersOf(), { isFresh: true })).toMatchObject({ isFresh: true });
    provider.claims = { ...claims, auth_time: now() + wrong - 60 };
    expect(await refusalOf(visit(providersOf(), { isFresh: true }))).toBe('confirm.not_fresh');
  });

  test('counts if the user was at the provider for minutes after the sign-in there', async () => {
    const providers = providersOf();
    const settings = providers.require('home');
    const { url, checks } = await providers.begin(settings, { isFresh: true });
    waited += 3 * minuteMs;
    provider.claims = { auth_time: now() - 170 };
    expect(await providers.finish(settings, { search: provider.visit(url), checks, isFresh: true })).toMatchObject({
      isFresh: true,
    });
  });

  test.each([
    ['does not tell it', undefined],
    ['tells an old one', now() - 60],
    ['tells it as a text', String(now())],
  ])('is refused if the provider %s', async (_case, auth_time) => {
    provider.claims = { auth_time };
    const refusal = await refusalOf(visit(providersOf(), { isFresh: true }));
    expect(refusal).toBe(typeof auth_time === 'string' ? 'provider.refused' : 'confirm.not_fresh');
  });
});

test('the page where users sign out is offered if the provider has one and can be asked', async () => {
  expect(await providersOf().signOutUrl('home')).toBeUndefined();
  provider.description = { end_session_endpoint: `${provider.issuer}/end` };
  const url = new URL((await providersOf().signOutUrl('home'))!);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'swarmdeck',
    post_logout_redirect_uri: 'https://swarmdeck.test/sign-in',
  });
  expect(await providersOf().signOutUrl('password')).toBeUndefined();
  expect(await providersOf(settingsOf({ issuer: await closedAddress() })).signOutUrl('home')).toBeUndefined();
});

test('one that cannot be used is an error for the operator, with its setting', () => {
  expect(findingOf({ name: 'home', failure: 'fetch failed: connect ECONNREFUSED' })).toEqual({
    part: 'sign-in',
    state: 'error',
    text: 'the provider home cannot be used (fetch failed: connect ECONNREFUSED): look at OIDC_HOME_ISSUER',
  });
  expect(findingOf({ name: 'home', failure: undefined })).toMatchObject({
    state: 'ok',
    text: 'the provider home answers',
  });
});
