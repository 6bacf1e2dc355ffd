// stores: SQLite, PostgreSQL in the long run
/** Bodies that are refused before they are read: what the server reads of them, and what becomes of their connections. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bytesOfRequest } from '../limits/operation-limits.ts';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { describeOnSqlite, testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';

const whole = 5 * 1024 * 1024;
/** What the server has read before its response: a few reads of its system. */
const atMost = 8 * bytesOfRequest;
const accepted: Socket[] = [];
let server: HttpTestServer;
let ann: TestUser;
beforeAll(async () => {
  server = await startHttpServer({ onConnection: (socket) => accepted.push(socket) });
  ann = await join(server.url, 'ann');
});
afterAll(() => server[Symbol.asyncDispose]());

interface Client extends Disposable {
  socket: Socket;
  received(): string;
  /** The end of the connection that the server has. */
  served: Socket;
  closed: Promise<unknown>;
}

async function open(): Promise<Client> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  // A reset, because the server does not read the rest.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  // The last one and not destroyed, because the system gives the port of a closed connection to another one.
  const served = () => accepted.findLast((end) => !end.destroyed && end.remotePort === socket.localPort);
  await expect.poll(served).toBeDefined();
  return { socket, received: () => text, served: served()!, closed, [Symbol.dispose]: () => socket.destroy() };
}

const head = (method: string, path: string, headers: Record<string, string>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries({ 'content-type': 'application/json', ...headers }).map((each) => each.join(': ')),
    '\r\n',
  ].join('\r\n');

/** Sends as much of a body as the server takes. */
async function upload({ socket, closed }: Client, { chunked }: { chunked: boolean }) {
  const part = 'x'.repeat(64 * 1024);
  for (let sent = 0; sent < whole && !socket.destroyed; sent += part.length) {
    const isTaken = socket.write(chunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part);
    if (!isTaken) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
}

const key = () => ({ 'x-serviceapikey': ann.key });
const session = () => ({ cookie: ann.browser.cookie, origin: server.url });

/** Sends a large body with these headers. Resolves when the connection is closed. */
async function refusalOf({ method, path, headers }: { method: string; path: string; headers: Record<string, string> }) {
  using client = await open();
  client.socket.write(head(method, path, headers));
  await upload(client, { chunked: 'transfer-encoding' in headers });
  await client.closed;
  const [top = '', body = ''] = client.received().split('\r\n\r\n');
  return {
    status: Number(top.split(' ')[1]),
    // A response that was cut is no JSON.
    code: (JSON.parse(body) as { code: string }).code,
    isClosing: top.toLowerCase().includes('\r\nconnection: close\r\n'),
    isBounded: client.served.bytesRead < atMost,
    isDestroyed: client.served.destroyed,
  };
}

test('of a large body that is refused, the rest is not read', async () => {
  const service = { method: 'POST', path: '/service/resources' };
  const part = { method: 'PUT', path: '/api/actions/none/parts/0' };
  const cases = [
    { code: 'key.invalid', status: 401, ...service, headers: { 'x-serviceapikey': 'swb_none' } },
    { code: 'body.too_large', status: 413, ...service, headers: key() },
    { code: 'body.not_json', status: 415, ...service, headers: { ...key(), 'content-type': 'text/plain' } },
    { code: 'route.not_found', status: 404, ...service, path: '/service/none', headers: key() },
    { code: 'session.missing', status: 401, ...part, headers: { origin: server.url } },
    { code: 'origin.refused', status: 403, ...part, headers: { cookie: ann.browser.cookie } },
    { code: 'action.not_found', status: 404, ...part, headers: session() },
  ];
  const lengths = [{ 'content-length': String(whole) }, { 'transfer-encoding': 'chunked' }];
  await Promise.all(
    cases.flatMap(({ code, status, headers, ...request }) =>
      lengths.map(async (length) => {
        const found = await refusalOf({ ...request, headers: { ...headers, ...length } });
        expect(found).toEqual({ status, code, isClosing: true, isBounded: true, isDestroyed: true });
      }),
    ),
  );
});

testOnSqlite.each([
  ['a small one', 1000],
  ['the largest one that counts as one request', bytesOfRequest],
])('%s is read, and its connection is kept', async (_, length) => {
  using client = await open();
  const refused = head('POST', '/service/resources', {
    'x-serviceapikey': 'swb_none',
    'content-length': String(length),
  });
  const answers = () => client.received().split('HTTP/1.1 401 ').length - 1;
  for (let count = 1; count <= 3; count++) {
    client.socket.write(refused + 'x'.repeat(length));
    await expect.poll(answers).toBe(count);
  }
  expect(client.served.bytesRead).toBe(3 * (refused.length + length));
  expect(client.socket.destroyed).toBe(false);
});

testOnSqlite(
  'a small body whose length is not announced is read if it is there, and its connection is kept',
  async () => {
    using client = await open();
    const chunk = JSON.stringify({ name: '' });
    const request = head('POST', '/service/resources', { ...key(), 'transfer-encoding': 'chunked' });
    for (let count = 1; count <= 2; count++) {
      client.socket.write(`${request}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`);
      await expect.poll(() => client.received().split('HTTP/1.1 400 ').length - 1).toBe(count);
    }
    expect(client.socket.destroyed).toBe(false);
  },
);

testOnSqlite('a client that stops sending gets its response, and the connection is closed', async () => {
  using client = await open();
  const headers = { 'x-serviceapikey': 'swb_none', 'content-length': String(whole) };
  client.socket.write(`${head('POST', '/service/resources', headers)}{`);
  await client.closed;
  expect(client.received()).toMatch(/^HTTP\/1\.1 401 /);
  await expect.poll(() => client.served.destroyed).toBe(true);
});

describeOnSqlite('a client that waits before it sends the body', () => {
  const request = (headers: Record<string, string>) =>
    head('POST', '/service/resources', { expect: '100-continue', ...headers });

  test.each([
    ['key.invalid', 401, { 'x-serviceapikey': 'swb_none', 'content-length': '10' }],
    ['body.too_large', 413, { 'content-length': String(whole) }],
    ['body.not_json', 415, { 'content-type': 'text/plain', 'content-length': '10' }],
  ])('is not asked for one that is refused: %s', async (code, status, headers: Record<string, string>) => {
    using client = await open();
    client.socket.write(request({ ...key(), ...headers }));
    await client.closed;
    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close\r\n[^]*${code}`, 'i'));
  });

  test('is asked for it when its key, size and type are right, and its connection is kept', async () => {
    using client = await open();
    const body = JSON.stringify({ name: 'Buoy', machine_type: 'bug' });
    for (let count = 1; count <= 2; count++) {
      client.socket.write(request({ ...key(), 'content-length': String(body.length) }));
      await expect.poll(() => client.received().split('HTTP/1.1 100 Continue\r\n\r\n').length - 1).toBe(count);
      client.socket.write(body);
      await expect.poll(() => client.received().split('HTTP/1.1 201 ').length - 1).toBe(count);
    }
    expect(client.socket.destroyed).toBe(false);
  });
});
