/** What the log has of requests over real HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnsweredRequest } from './request-bindings.ts';
import { browse, startHttpServer, type Browser, type HttpTestServer } from '../../tests/http-server.fixture.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const answered: (Omit<AnsweredRequest, 'requestId' | 'address'> & { requestId: string; address: string })[] = [];
let server: HttpTestServer;
let ann: Browser;
let key: { id: string; key: string };

beforeAll(async () => {
  server = await startHttpServer({
    onAnswered: (request) => answered.push({ ...request, requestId: request.requestId(), address: request.address() }),
  });
  ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'a good password', name: 'ann' });
  key = (await (await ann.send('POST', '/api/account/keys', { name: 'test' })).json()) as typeof key;
});
afterAll(() => server[Symbol.asyncDispose]());

const logged = (message: string) =>
  server.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['message'] === message);

test('a request has its operation, user, key, address and trace, and the length of its response', async () => {
  const headers = { 'x-serviceapikey': key.key, traceparent };
  const answer = await fetch(`${server.url}/service/resources?machine_type=secret`, { headers });
  const bytes = Buffer.byteLength(await answer.text());
  const known = {
    method: 'GET',
    operation: 'listResources',
    status: 200,
    user: 'ann',
    keyId: key.id,
    address: '127.0.0.1',
  };
  expect(answered.at(-1)).toMatchObject({ ...known, traceId, bytes, code: undefined });
  expect(answered.at(-1)!.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answered.at(-1)!.ms).toBeGreaterThan(0);

  await ann.send('GET', '/api/devices');
  expect(answered.at(-1)).toMatchObject({ operation: '/api/devices', user: 'ann', traceId: undefined });
});

test('the line of a failed request has the same, with its code', async () => {
  const headers = { 'x-serviceapikey': key.key, traceparent };
  const answer = await fetch(`${server.url}/service/resources/none`, { headers });
  const { request_id } = (await answer.json()) as { request_id: string };
  expect(answered.at(-1)).toMatchObject({ code: 'resource.not_found', requestId: request_id });
  expect(logged('request failed').at(-1)).toMatchObject({
    request_id,
    trace_id: traceId,
    status: 404,
    code: 'resource.not_found',
    path: '/service/resources/none',
    user: 'ann',
    key_id: key.id,
    address: '127.0.0.1',
  });
});

test('a sign-in has a line with its way', async () => {
  const browser = browse(server.url);
  await browser.send('POST', '/auth/sign-in/username', { username: 'ann', password: 'a good password' });
  expect(logged('signed in')).toMatchObject([{ level: 'info', user: 'ann', way: 'password', address: '127.0.0.1' }]);
  expect(logged('signed in')[0]!['request_id']).toBe(answered.at(-1)!.requestId);
});
