/** Pages of other origins, over real HTTP: the headers by which a browser lets them use the service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browse, startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';

const page = 'https://board.example.org';
let server: HttpTestServer;
let key: string;
beforeAll(async () => {
  server = await startHttpServer({ corsOrigins: ['http://localhost:5173', page] });
  key = await keyOf(server);
});
afterAll(() => server[Symbol.asyncDispose]());

async function keyOf({ url }: HttpTestServer): Promise<string> {
  const browser = browse(url);
  await browser.send('POST', '/auth/sign-up', { username: 'ann', password: 'a good password', name: 'ann' });
  const made = await browser.send('POST', '/api/account/keys', { name: 'board' });
  return ((await made.json()) as { key: string }).key;
}

const send = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, headers, ...(method === 'POST' && { body: '{' }) });
const preflight = (path: string, origin = page) =>
  send(path, { origin, 'access-control-request-method': 'PUT' }, 'OPTIONS');
const corsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

test('a preflight is answered before the key, for any path of the service', async () => {
  for (const path of ['/service/resources', '/service/events', '/service/none', '/service/openapi.json']) {
    const answer = await preflight(path);
    expect([path, answer.status, await answer.text()]).toEqual([path, 204, '']);
    expect(corsHeaders(answer)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': expect.stringContaining('x-serviceapikey') as string,
      vary: 'Origin',
    });
  }
});

test.each([
  ['a record', '/service/resources', 200],
  ['a problem', '/service/resources/none', 404],
  ['a path without a route', '/service/none', 404],
  ['a refusal before the route', `/service/${'a'.repeat(20_000)}`, 431],
  ['a path that is too long', `/service/${'a'.repeat(5000)}`, 414],
  ['the document', '/service/openapi.json', 200],
] as const)('%s names the origin, never credentials', async (_, path, status) => {
  const answer = await send(path, { origin: page, 'x-serviceapikey': key });
  expect(answer.status).toBe(status);
  // Node reads no path and no origin of a head that is too large.
  if (status === 431) return;
  const headers = corsHeaders(answer);
  expect(headers).toMatchObject({
    'access-control-allow-origin': page,
    'access-control-expose-headers': expect.stringContaining('etag') as string,
    vary: expect.stringMatching(/\bOrigin$/) as string,
  });
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test('so does a response without a key, and one that varies by something else', async () => {
  const withoutKey = await send('/service/resources', { origin: page });
  expect([withoutKey.status, withoutKey.headers.get('access-control-allow-origin')]).toEqual([401, page]);
  const list = await send('/service/resources', { origin: page, 'x-serviceapikey': key });
  expect(list.headers.get('vary')).toBe('Accept, Origin');
});

test('so does a stream', async () => {
  const controller = new AbortController();
  const answer = await fetch(`${server.url}/service/events`, {
    headers: { origin: page, 'x-serviceapikey': key },
    signal: controller.signal,
  });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  expect(answer.headers.get('vary')).toBe('Origin');
  controller.abort();
});

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['the same host with another port', { origin: 'http://localhost:5174' }],
  ['an origin that only begins like one', { origin: `${page}.evil.example` }],
  ['null', { origin: 'null' }],
  ['no origin', {}],
])('%s is not allowed, and a cache is told that the response varies', async (_, headers) => {
  const answer = await send('/service/resources', { ...headers, 'x-serviceapikey': key });
  expect(answer.status).toBe(200);
  expect(corsHeaders(answer)).toEqual({ vary: 'Accept, Origin' });
  const asked = await send('/service/resources', { ...headers, 'access-control-request-method': 'GET' }, 'OPTIONS');
  expect([asked.status, corsHeaders(asked)]).toEqual([401, { vary: 'Origin' }]);
});

test.each([
  '/api/resources',
  '/auth/options',
  '/service/owntracks',
  '/service/owntracks/',
  '/service/%6fwntracks',
  '/docs',
])('%s is for no page of another origin', async (path) => {
  for (const answer of [await send(path, { origin: page }), await preflight(path)])
    expect(corsHeaders(answer)).toEqual({});
});

describe('without the setting', () => {
  test('no response has the headers, and the page of the API says so', async () => {
    await using other = await startHttpServer();
    const ofOther = { origin: page, 'x-serviceapikey': await keyOf(other) };
    const list = await fetch(`${other.url}/service/resources`, { headers: ofOther });
    expect([list.status, corsHeaders(list)]).toEqual([200, { vary: 'Accept' }]);
    const documentation = await (await fetch(`${other.url}/docs`)).text();
    expect(documentation).toContain('the operator has named no origins');
    expect(await (await fetch(`${server.url}/docs`)).text()).not.toContain('the operator has named no origins');
  });
});

test('a 401 says how to authenticate, but makes no browser open its dialog for passwords', async () => {
  const schemeAt = async (path: string, headers = {}, method = 'GET') => {
    const answer = await send(path, headers, method);
    return [answer.status, answer.headers.get('www-authenticate')?.split(' ')[0]];
  };
  expect(await schemeAt('/service/resources')).toEqual([401, 'ApiKey']);
  expect(await schemeAt('/service/none', { 'x-serviceapikey': 'swb_none' })).toEqual([401, 'ApiKey']);
  expect(await schemeAt('/service/owntracks', {}, 'POST')).toEqual([401, 'Basic']);
  expect(await schemeAt('/service/owntracks/', {}, 'POST')).toEqual([401, 'Basic']);
  expect(await schemeAt('/service/resources', { 'x-serviceapikey': key })).toEqual([200, undefined]);
  expect(await schemeAt('/api/resources')).toEqual([401, undefined]);
  expect(await schemeAt('/api/owntracks', {}, 'POST')).toEqual([403, undefined]);
  const signIn = await browse(server.url).send('POST', '/auth/sign-in/username', {
    username: 'ann',
    password: 'wrong',
  });
  expect([signIn.status, signIn.headers.get('www-authenticate')]).toEqual([401, null]);
});
