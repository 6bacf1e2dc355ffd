import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { AppFetch } from './routing.ts';
import { attach, listen, stop } from './server.ts';

test('a stopping server answers pending requests with Connection: close and closes idle connections', async () => {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  server.on('request', ({ url }, outgoing) => outgoing.end(`answer to ${url}`));
  const { port } = server.address() as AddressInfo;
  const silent = connect(port, '127.0.0.1').resume();
  const busy = connect(port, '127.0.0.1').setEncoding('utf8');
  await Promise.all([once(silent, 'connect'), once(busy, 'connect')]);
  // The second request is incomplete when the server stops.
  busy.write('GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n');
  const [first] = (await once(busy, 'data')) as [string];
  expect(first).toContain('answer to /1');
  expect(first).not.toMatch(/connection: close/i);

  const stopped = stop(server);
  await once(silent, 'close');
  const second = once(busy, 'data');
  busy.write('\r\n');
  expect((await second)[0]).toMatch(/connection: close[^]+answer to \/2/i);
  await Promise.all([once(busy, 'close'), stopped]);
});

/** Sends these bytes and returns the response up to the end of the connection. */
async function answerTo(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (part: string) => (text += part)).on('error', () => {});
  socket.write(request, 'latin1');
  await once(socket, 'close');
  return text;
}

/** Serves one request and returns the reported errors. */
async function served(request: string, fetch: AppFetch) {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  const reported: unknown[] = [];
  const logged: string[] = [];
  attach({
    newId: () => crypto.randomUUID(),
    server,
    app: { fetch },
    publicUrl: 'http://localhost',
    report(error, request) {
      logged.push(request!.request_id);
      if (request!.status >= 500) reported.push(error);
    },
  });
  const text = await answerTo((server.address() as AddressInfo).port, request);
  await stop(server);
  return { text, reported, logged };
}

test.each([
  ['data that is not HTTP', '\u0016\u0003\u0001\u0002', 400],
  ['an unknown method', 'BREW / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['a path that is not ASCII', 'GET /é HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['an invalid host', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', 400],
  ['an invalid URL', 'GET http://[::x/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ['a too long header', `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['an invalid chunk', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
])('%s gets a problem response with the usual headers', async (_, request, status) => {
  const read = async (asked: Request) => new Response(await asked.text().catch(() => 'broken off'));
  const { text, reported, logged } = await served(request, read);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/content-type: application\/problem\+json/i);
  for (const name of ['x-swarmdeck: 1', 'content-security-policy', 'x-content-type-options', 'camera=(self)'])
    expect(head.toLowerCase()).toContain(name);
  expect(reported).toEqual([]);
  expect(JSON.parse(body)).toMatchObject({
    status,
    code: expect.stringMatching(/^request\./),
    detail: expect.any(String),
    request_id: logged[0],
  });
  expect(logged).toHaveLength(1);
});

test('an unknown Expect header is ignored', async () => {
  const request = 'GET / HTTP/1.1\r\nhost: x\r\nexpect: a wonder\r\nconnection: close\r\n\r\n';
  const { text } = await served(request, async () => new Response('answer'));
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]+content-security-policy[^]+answer/i);
});

test('a health check by HTTP/1.0 needs no host', async () => {
  const { text } = await served('GET /readyz HTTP/1.0\r\n\r\n', async ({ url }) => new Response(url));
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]+http:\/\/localhost\/readyz/i);
});

test('a request without a body has ended when it arrives, and its body is empty', async () => {
  const ended: (boolean | undefined)[] = [];
  const read: AppFetch = async (request, { incoming } = {}) => {
    ended.push(incoming?.readableEnded);
    return new Response(`body: ${JSON.stringify(await request.text())}`);
  };
  for (const head of ['', 'content-length: 0\r\n', 'transfer-encoding: chunked\r\n']) {
    const chunks = head.includes('chunked') ? '0\r\n\r\n' : '';
    const { text } = await served(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n${chunks}`, read);
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]+body: ""$/);
  }
  expect(ended).toEqual([true, false, false]);
});

test('an internal error is reported, and the response has no details of it', async () => {
  const fault = new Error('inside');
  const { text, reported } = await served('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', () => {
    throw fault;
  });
  expect(text).toMatch(/^HTTP\/1\.1 500 [^]+"server\.failed"/);
  expect(text).not.toContain('inside');
  expect(reported).toEqual([fault]);
});

test('a request that arrives while the app is created is answered when it is', async () => {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  const app = Promise.withResolvers<{ fetch: AppFetch }>();
  attach({ newId: () => crypto.randomUUID(), server, app: app.promise, publicUrl: 'http://localhost', report() {} });
  const arrived = once(server, 'request');
  const { port } = server.address() as AddressInfo;
  const early = answerTo(port, 'GET /early HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await arrived;
  app.resolve({ fetch: ({ url }) => new Response(`answer to ${url}`) });
  expect(await early).toMatch(/^HTTP\/1\.1 200 [^]+answer to http:\/\/x\/early/);
  await stop(server);
});

test('a request that does not arrive within a minute is ended with a problem response', async () => {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  // Node checks it every half minute, which is too long for a test.
  expect(server.requestTimeout).toBe(60_000);
  expect(server.headersTimeout).toBeLessThanOrEqual(60_000);
  expect(server.headersTimeout).toBeGreaterThan(0);
  attach({
    newId: () => crypto.randomUUID(),
    server,
    app: { fetch: async (request) => new Response(await request.text().catch(() => 'broken off')) },
    publicUrl: 'http://localhost',
    report() {},
  });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const answer = answerTo(
    (server.address() as AddressInfo).port,
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n',
  );
  const [socket] = await connected;
  server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]+"request\.too_slow"/);
  await stop(server);
});
