/** Cookies and keys over real HTTP: which paths they are valid for, and the deletion of an account. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, CreatedApiKey, Problem, Session } from '../../contract.ts';
import { dayMs } from '../limits/durations.ts';
import { browse, startHttpServer, type Browser, type HttpTestServer } from '../../tests/http-server.fixture.ts';

const password = 'a good password';
const lamp = { name: 'Lamp', machine_type: 'pc' };
let server: HttpTestServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function signUp(username: string): Promise<Browser> {
  const browser = browse(server.url);
  const answer = await browser.send('POST', '/auth/sign-up', { username, password, name: username });
  expect(answer.status).toBe(201);
  return browser;
}
async function signIn(username: string, typed = password): Promise<Browser> {
  const browser = browse(server.url);
  expect((await browser.send('POST', '/auth/sign-in/username', { username, password: typed })).status).toBe(200);
  return browser;
}
async function makeKey(browser: Browser, name = 'script'): Promise<CreatedApiKey> {
  const answer = await browser.send('POST', '/api/account/keys', { name });
  expect(answer.status).toBe(201);
  return (await answer.json()) as CreatedApiKey;
}
const withKey = (key: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { 'x-serviceapikey': key } });
const codeOf = async (answer: Response) => ((await answer.json()) as Problem).code;

it('serves robots.txt, not the app', async () => {
  const answer = await fetch(`${server.url}/robots.txt`);
  expect(answer.headers.get('content-type')).toMatch('text/plain');
  const lines = (await answer.text()).trimEnd().split('\n');
  expect(lines[0]).toBe('User-agent: *');
  const paths = ['/api/', '/auth/', '/guest/', '/service/'];
  expect(lines.slice(1)).toEqual(paths.map((path) => `Disallow: ${path}`));
});

describe('a cookie', () => {
  it('is valid for /api and not for /service', async () => {
    const ann = await signUp('ann');
    expect((await ann.send('GET', '/api/resources')).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', '/service/resources', undefined],
      ['POST', '/service/resources', lamp],
    ] as const) {
      const answer = await ann.send(method, path, body);
      expect([answer.status, await codeOf(answer)]).toEqual([401, 'key.invalid']);
    }
  });
});

describe('a key', () => {
  it('is valid for /service and not for /api', async () => {
    const { key } = await makeKey(await signUp('bob'));
    expect((await withKey(key, '/service/resources')).status).toBe(200);
    for (const path of ['/api/resources', '/api/devices', '/api/account', '/api/account/keys']) {
      const answer = await withKey(key, path);
      expect([answer.status, await codeOf(answer)]).toEqual([401, 'session.missing']);
    }
  });

  it('of another user does not change the user of a session', async () => {
    const carl = await signUp('carl');
    const dora = await signUp('dora');
    await dora.send('POST', '/api/resources', lamp);
    const { key } = await makeKey(dora);
    const answer = await carl.send('GET', '/api/resources', undefined, { 'x-serviceapikey': key });
    expect(await answer.json()).toEqual([]);
  });

  it('is shown once, listed without its secret, and revoked within a second', async () => {
    const emil = await signUp('emil');
    const made = await makeKey(emil, 'greenhouse');
    const { key, ...record } = made;
    expect(key).toMatch(/^swb_[0-9A-Za-z]{36}$/);
    const { items } = (await (await emil.send('GET', '/api/account/keys')).json()) as { items: object[] };
    expect(items).toEqual([record]);
    expect((await withKey(key, '/service/resources')).status).toBe(200);
    expect((await emil.send('DELETE', `/api/account/keys/${made.id}`)).status).toBe(204);
    expect((await withKey(key, '/service/resources')).status).toBe(401);
    expect(await codeOf(await emil.send('DELETE', `/api/account/keys/${made.id}`))).toBe('key.not_found');
  });

  it('of another user cannot be revoked', async () => {
    const { id, key } = await makeKey(await signUp('fay'));
    const gil = await signUp('gil');
    expect(await codeOf(await gil.send('DELETE', `/api/account/keys/${id}`))).toBe('key.not_found');
    expect((await withKey(key, '/service/resources')).status).toBe(200);
  });

  it.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(129) }, '/name'],
    [{ name: 'a', extra: 1 }, '/extra'],
  ])('is not created from %j', async (body, pointer) => {
    const ann = await signIn('ann');
    const answer = await ann.send('POST', '/api/account/keys', body);
    expect(await answer.json()).toMatchObject({ status: 400, code: 'body.invalid', errors: [{ pointer }] });
  });
});

describe('the account page', () => {
  it('has the user, their counts and the end of the session', async () => {
    const hal = await signUp('hal');
    await hal.send('POST', '/api/resources', lamp);
    const answer = await hal.send('GET', '/api/account');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const account = (await answer.json()) as Account;
    expect(account).toMatchObject({ user_id: 'hal', resources: 1, swarms_owned: 0 });
    const days = (Date.parse(account.session_expires_at) - Date.parse(account.created_at)) / dayMs;
    expect(days).toBeCloseTo(30, 1);
  });

  it('lists sessions without their tokens, and ends one or all others', async () => {
    const here = await signUp('ida');
    const phone = await signIn('ida');
    const tablet = await signIn('ida');
    const list = async () =>
      ((await (await here.send('GET', '/api/account/sessions')).json()) as { items: Session[] }).items;
    const sessions = await list();
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(sessions).toHaveLength(3);
    const tokens = await server.db.read<{ token: string }>({ sql: 'SELECT token FROM session' });
    for (const { token } of tokens) expect(JSON.stringify(sessions)).not.toContain(token);

    const other = sessions.find(({ current }) => !current)!;
    expect((await here.send('DELETE', `/api/account/sessions/${other.id}`)).status).toBe(204);
    expect((await here.send('DELETE', `/api/account/sessions/${other.id}`)).status).toBe(404);
    expect(await list()).toHaveLength(2);
    expect((await here.send('DELETE', '/api/account/sessions')).status).toBe(204);
    for (const ended of [phone, tablet]) expect((await ended.send('GET', '/api/account')).status).toBe(401);
    expect((await here.send('GET', '/api/account')).status).toBe(200);
  });

  it("does not end another user's session", async () => {
    const jo = await signUp('jo-1');
    const { items } = (await (await jo.send('GET', '/api/account/sessions')).json()) as { items: Session[] };
    const kim = await signUp('kim');
    expect((await kim.send('DELETE', `/api/account/sessions/${items[0]!.id}`)).status).toBe(404);
    expect((await jo.send('GET', '/api/account')).status).toBe(200);
  });

  it('keeps only the current session after a change of password', async () => {
    const here = await signUp('lea');
    const there = await signIn('lea');
    await here.send('POST', '/api/resources', lamp);
    const change = { currentPassword: password, newPassword: 'a better password', revokeOtherSessions: true };
    expect((await here.send('POST', '/auth/change-password', change)).status).toBe(204);
    expect(await (await here.send('GET', '/api/resources')).json()).toHaveLength(1);
    expect((await there.send('GET', '/api/resources')).status).toBe(401);
  });
});

describe('deleting an account', () => {
  it('requires its name', async () => {
    const max = await signUp('max');
    for (const [body, status, code] of [
      [{ user_id: 'ann' }, 400, 'account.confirmation_wrong'],
      [{ user_id: 'max', password }, 400, 'body.invalid'],
    ] as const) {
      const answer = await max.send('DELETE', '/api/account', body);
      expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
    }
    expect((await max.send('GET', '/api/account')).status).toBe(200);
  });

  it('ends all access immediately, deletes everything and retires the name', async () => {
    const nora = await signUp('nora');
    const other = await signIn('nora');
    await nora.send('POST', '/api/resources', lamp);
    const { key } = await makeKey(nora);
    expect((await withKey(key, '/service/resources')).status).toBe(200);

    const answer = await nora.send('DELETE', '/api/account', { user_id: 'nora' });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    expect(nora.cookie).toBe('__Host-swarmdeck.session=');
    expect((await other.send('GET', '/api/account')).status).toBe(401);
    expect((await withKey(key, '/service/resources')).status).toBe(401);
    const left = () => server.db.read({ sql: "SELECT 1 FROM resources WHERE user_id = 'nora'" });
    await vi.waitFor(async () => expect(await left()).toEqual([]));
    const again = browse(server.url);
    const taken = await again.send('POST', '/auth/sign-up', { username: 'nora', password, name: 'nora' });
    expect([taken.status, await codeOf(taken)]).toEqual([409, 'sign_up.name_taken']);
  });
});

/** Sends these lines over a connection of their own: `fetch` would correct them. Returns the status and the code. */
async function sendRaw(...head: string[]) {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write([...head, 'connection: close', '', ''].join('\r\n'));
  await once(socket, 'close');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return [Number(text.split(' ')[1]), body.startsWith('{') ? (JSON.parse(body) as Problem).code : ''];
}

describe('a request line', () => {
  it.each([
    '/service/x/../resources',
    '/service/./resources',
    '/service/%2e%2E/service/resources',
    '/api/account/..',
    '/assets/../index.html',
  ])('with dot segments is not found: %s', async (path) => {
    expect(await sendRaw(`GET ${path} HTTP/1.1`, 'host: x')).toEqual([404, 'route.not_found']);
  });

  it('may have dots inside segments and in the query', async () => {
    expect(await sendRaw('GET /robots.txt?from=/../a HTTP/1.1', 'host: x')).toEqual([200, '']);
    expect(await sendRaw('GET /service/..a HTTP/1.1', 'host: x')).toEqual([401, 'key.invalid']);
  });

  it('has at most 1,000 characters before the query, and the log has 200 of them', async () => {
    server.logged.length = 0;
    const long = `/service/${'a'.repeat(15_000)}`;
    expect(await sendRaw(`GET ${long} HTTP/1.1`, 'host: x')).toEqual([414, 'request.path_too_long']);
    expect(server.logged.join('\n')).toContain(`"${long.slice(0, 200)}…"`);
    expect(Math.max(...server.logged.map((line) => line.length))).toBeLessThan(600);
    expect(await sendRaw(`GET /robots.txt?q=${'a'.repeat(2000)} HTTP/1.1`, 'host: x')).toEqual([200, '']);
  });

  it('has one host', async () => {
    expect(await sendRaw('GET /healthz HTTP/1.1', 'host: x')).toEqual([200, '']);
    expect(await sendRaw('GET /healthz HTTP/1.1', 'host: x', 'Host: y')).toEqual([400, 'request.unreadable']);
    expect(await sendRaw('GET /healthz HTTP/1.1', 'host: x', 'host: x')).toEqual([400, 'request.unreadable']);
  });
});

it('a compressed body is rejected, not read as text', async () => {
  const emma = await signUp('emma-compressed');
  const answer = await emma.send('POST', '/api/resources', lamp, { 'content-encoding': 'gzip' });
  expect([answer.status, await codeOf(answer)]).toEqual([415, 'body.encoded']);
  expect(answer.headers.get('accept-encoding')).toBe('identity');
  const plain = await emma.send('POST', '/api/resources', lamp, { 'content-encoding': 'identity' });
  expect(plain.status).toBe(201);
});
