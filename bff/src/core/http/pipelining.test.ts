import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { pacedLimits, unsentLimits } from '../limits/operation-limits.ts';
import { createRate } from '../limits/rate.ts';
import { createPacing } from './pacing.ts';
import { isIdle, sendLater } from './pipelining.ts';
import type { AppFetch } from './routing.ts';
import { attach, listen, stop } from './server.ts';
import { createUnsentBytes, type UnsentLimits } from './unsent-bytes.ts';

/** A server whose requests are answered by the test, and a connection to it. */
async function connected({
  limits = unsentLimits,
  fetch,
  anonymous = createRate({ perSecond: Number.POSITIVE_INFINITY, burst: 1, now: () => new Date() }),
  isTrusted = () => false,
}: { limits?: UnsentLimits; fetch?: AppFetch } & Partial<Parameters<typeof createPacing>[0]> = {}) {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  const unsent = createUnsentBytes(limits);
  /** The paths of the requests that were passed to the app. */
  const asked: string[] = [];
  const answers = new Map<string, (response: Response) => void>();
  const wait: AppFetch = ({ url }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return new Promise((resolve) => answers.set(pathname, resolve));
  };
  const pacing = createPacing({ anonymous, isTrusted, addressOf: () => 'a' });
  const app = { fetch: fetch ?? wait, pacing };
  attach({ newId: () => 'id', server, app, publicUrl: 'http://x', report() {}, unsent });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  const [ofServer] = await accepted;
  let received = '';
  socket.on('data', (text: string) => (received += text)).on('error', () => {});
  return {
    server,
    socket,
    ofServer,
    unsent,
    asked,
    arrived: (count: number) => expect.poll(() => asked).toHaveLength(count),
    answer: (path: string, response = new Response(`answer to ${path}\n`)) => answers.get(path)!(response),
    received: () => received,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      ofServer.destroy();
      await stop(server);
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const bodies = (text: string) => text.match(/^answer to \S+$/gm) ?? [];

test('pipelined requests are answered one after the other, and little more is read meanwhile', async () => {
  await using one = await connected();
  one.socket.write(['/1', '/2', '/3'].map(get).join(''));
  await one.arrived(1);
  expect(one.unsent.measure()).toBe(2 * unsentLimits.waiting);
  const more = [4, 5, 6, 7].map((number) => `/${number}${'x'.repeat(8000)}`);
  const read = one.ofServer.bytesRead;
  one.socket.write(more.map(get).join(''));
  await expect.poll(() => one.ofServer.bytesRead).toBeGreaterThan(read);
  await expect.poll(() => one.ofServer.isPaused()).toBe(true);
  const paths = ['/1', '/2', '/3', ...more];
  for (const [index, path] of paths.entries()) {
    await one.arrived(index + 1);
    one.answer(path);
  }
  await expect.poll(() => bodies(one.received())).toEqual(paths.map((path) => `answer to ${path}`));
  expect(one.asked).toEqual(paths);
  expect(one.unsent.measure()).toBe(0);
});

test('bodies, HEAD and Expect are pipelined too', async () => {
  const asked: string[] = [];
  const fetch: AppFetch = async (request, bindings) => {
    bindings?.outgoing?.askForBody();
    const text = request.method === 'POST' ? await request.text() : '';
    asked.push(`${request.method} ${text.length}`);
    return new Response(`answer to ${text.length}\n`);
  };
  await using one = await connected({ fetch });
  const post = (length: number, expects = '') =>
    `POST / HTTP/1.1\r\nhost: x\r\n${expects}content-length: ${length}\r\n\r\n${'x'.repeat(length)}`;
  const head = 'HEAD / HTTP/1.1\r\nhost: x\r\n\r\n';
  one.socket.write(post(100_000) + head + post(200_000) + post(3, 'expect: 100-continue\r\n') + get('/'));
  await expect.poll(() => bodies(one.received())).toEqual([100_000, 200_000, 3, 0].map((n) => `answer to ${n}`));
  expect(asked).toEqual(['POST 100000', 'HEAD 0', 'POST 200000', 'POST 3', 'GET 0']);
  expect(one.unsent.measure()).toBe(0);
});

test.each([
  ['resets its connection', '', (socket: Socket) => socket.resetAndDestroy()],
  ['closes its connection', '', (socket: Socket) => socket.destroy()],
  ['closes it in the middle of a request', get('/4').slice(0, 9), (socket: Socket) => socket.destroy()],
  ['closes it after later requests', get('/4').repeat(9), (socket: Socket) => socket.destroy()],
])('a client that %s is forgotten with the requests that waited', async (_, later, leave) => {
  await using one = await connected();
  one.socket.write(['/1', '/2', '/3'].map(get).join(''));
  await one.arrived(1);
  const read = one.ofServer.bytesRead;
  one.socket.write(later);
  await expect.poll(() => one.ofServer.bytesRead).toBe(read + later.length);
  const closed = new Promise((resolve) => one.ofServer.once('close', resolve));
  leave(one.socket);
  await closed;
  one.answer('/1');
  await expect.poll(one.unsent.measure).toBe(0);
  expect(one.asked).toEqual(['/1']);
});

test('a connection with more waiting requests than its address may have is closed', async () => {
  await using one = await connected({ limits: { ...unsentLimits, user: 0, address: 10 * unsentLimits.waiting } });
  one.socket.write(get('/1') + get('/x').repeat(10));
  await one.arrived(1);
  expect(one.unsent.measure()).toBe(10 * unsentLimits.waiting);
  await using other = await connected({ limits: { ...unsentLimits, user: 0, address: 10 * unsentLimits.waiting } });
  other.socket.write(get('/1') + get('/x').repeat(11));
  await once(other.socket, 'close');
  await expect.poll(other.unsent.measure).toBe(0);
  expect(other.asked).toEqual(['/1']);
});

/** Timers and the clock of the server stand still. */
function stopTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

test('a connection gets one 429 in a second, and other responses at once', async () => {
  using _ = stopTimers();
  await using one = await connected();
  const statuses = () => one.received().match(/(?<=HTTP\/1\.1 )\d+/g);
  let asked = 0;
  const ask = async (path: string, status: number) => {
    one.socket.write(get(path));
    await one.arrived((asked += 1));
    one.answer(path, new Response('', { status }));
  };
  await ask('/1', 429);
  await ask('/2', 200);
  await ask('/3', 429);
  await expect.poll(vi.getTimerCount).toBe(1);
  await expect.poll(statuses).toEqual(['429', '200']);
  expect(isIdle(one.ofServer)).toBe(true);
  vi.advanceTimersByTime(pacedLimits.eachMs - 1);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  await expect.poll(statuses).toEqual(['429', '200', '429']);
  // One that waits ends with its connection.
  await ask('/4', 429);
  await expect.poll(vi.getTimerCount).toBe(1);
  one.socket.resetAndDestroy();
  await expect.poll(vi.getTimerCount).toBe(0);
});

test('a response that would wait, with requests behind it, closes its connection', async () => {
  using _ = stopTimers();
  await using one = await connected({ fetch: () => new Response('answer to x\n', { status: 429 }) });
  one.socket.write(get('/').repeat(9));
  await once(one.socket, 'end');
  expect(bodies(one.received())).toHaveLength(2);
  expect(one.received().match(/^connection: .*$/gim)).toEqual(['Connection: keep-alive', 'connection: close']);
  vi.advanceTimersByTime(1000);
  await expect.poll(one.unsent.measure).toBe(0);
});

test('a response that closes its connection is not paced', async () => {
  using _ = stopTimers();
  await using one = await connected({ fetch: () => new Response('answer to x\n', { status: 429 }) });
  one.socket.write(get('/'));
  await expect.poll(() => bodies(one.received())).toHaveLength(1);
  one.socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(one.socket, 'end');
  expect(bodies(one.received())).toHaveLength(2);
});

test('the body of a response that waits is counted, until its client has gone', async () => {
  using _ = stopTimers();
  await using one = await connected({ fetch: () => new Response('answer to x\n', { status: 429 }) });
  one.socket.write(get('/'));
  await expect.poll(() => bodies(one.received())).toHaveLength(1);
  expect(one.unsent.measure()).toBe(0);
  one.socket.write(get('/'));
  await expect.poll(one.unsent.measure).toBe('answer to x\n'.length);
  one.socket.resetAndDestroy();
  await expect.poll(one.unsent.measure).toBe(0);
});

test('responses to a trusted proxy are not paced', async () => {
  using _ = stopTimers();
  const fetch: AppFetch = () => new Response('answer to x\n', { status: 429 });
  await using one = await connected({ fetch, isTrusted: (address) => address === '127.0.0.1' });
  one.socket.write(get('/').repeat(5));
  await expect.poll(() => bodies(one.received())).toHaveLength(5);
});

test('a connection gets one response without a user in a second, beyond their rate', async () => {
  using _ = stopTimers();
  const anonymous = createRate({ perSecond: 1, burst: 1, now: () => new Date(0) });
  const fetch: AppFetch = async ({ url }, bindings) => {
    const { pathname } = new URL(url);
    bindings!.outgoing!.user = pathname.startsWith('/ann') ? 'ann' : undefined;
    return new Response(`answer to ${pathname}\n`);
  };
  await using one = await connected({ fetch, anonymous });
  const got = async (...paths: string[]) =>
    expect.poll(() => bodies(one.received())).toEqual(paths.map((path) => `answer to ${path}`));
  one.socket.write(['/ann/1', '/within', '/ann/2', '/first', '/ann/3'].map(get).join(''));
  await got('/ann/1', '/within', '/ann/2', '/first', '/ann/3');
  one.socket.write(get('/late'));
  await expect.poll(vi.getTimerCount).toBe(1);
  await got('/ann/1', '/within', '/ann/2', '/first', '/ann/3');
  vi.advanceTimersByTime(pacedLimits.eachMs);
  await got('/ann/1', '/within', '/ann/2', '/first', '/ann/3', '/late');
});

test('responses whose pauses end together are sent in several ticks of the event loop', async () => {
  using _ = stopTimers();
  const newResponse = () => Object.assign(new EventEmitter(), { req: { socket: new PassThrough() } });
  const responses = Array.from({ length: 2 * pacedLimits.atOnce + 2 }, newResponse);
  const sent: number[] = [];
  for (const [index, response] of responses.entries())
    sendLater(response as unknown as ServerResponse, pacedLimits.eachMs, () => sent.push(index));
  vi.advanceTimersByTime(pacedLimits.eachMs);
  const counts: number[] = [];
  // The client of one that waits has gone.
  responses[pacedLimits.atOnce]!.emit('close');
  for (let tick = 0; tick < 4; tick++) {
    counts.push(sent.length);
    await new Promise(setImmediate);
  }
  expect(counts).toEqual([0, pacedLimits.atOnce, 2 * pacedLimits.atOnce, 2 * pacedLimits.atOnce + 1]);
  expect(sent).toEqual([...responses.keys()].filter((index) => index !== pacedLimits.atOnce));
});

test('data that is not a request is refused after the responses to the requests before it', async () => {
  await using one = await connected();
  one.socket.write(`${get('/1')}${get('/2')}nonsense\r\n\r\n`);
  await one.arrived(1);
  one.answer('/1');
  await one.arrived(2);
  expect(one.received()).not.toContain('400');
  one.answer('/2');
  await once(one.socket, 'close');
  expect(one.received().match(/HTTP\/1\.1 \d+|answer to \S+/g)).toEqual([
    'HTTP/1.1 200',
    'answer to /1',
    'HTTP/1.1 200',
    'answer to /2',
    'HTTP/1.1 400',
  ]);
});

test('a request whose body becomes invalid while its response is sent is cut', async () => {
  const begun = Promise.withResolvers<IncomingMessage>();
  const fetch: AppFetch = (_, bindings) => {
    begun.resolve(bindings!.incoming!);
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('begin')) }));
  };
  await using one = await connected({ fetch });
  one.socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n');
  await begun.promise;
  await expect.poll(one.received).toContain('begin');
  one.socket.write('zz\r\n');
  await once(one.socket, 'close');
  expect(one.received()).not.toContain('400');
});
