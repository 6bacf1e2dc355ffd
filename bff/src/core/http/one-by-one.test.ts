import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { connectionLimits, pipelineLimits } from '../limits/operation-limits.ts';
import { connectionAddresses } from './client-address.ts';
import { createConnections } from './connections.ts';
import { attach, listen, stop } from './server.ts';
import { createUnsentBytes } from './unsent-bytes.ts';

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A server for clients of the addresses 127.0.0.x, of which 9 is that of a trusted proxy. Requests of `/held` are answered at `release`. */
async function start({ unparsedBytes = connectionLimits.unparsedBytes } = {}) {
  const trustedProxies = [{ address: '127.0.0.9', prefix: 32, family: 'ipv4' as const }];
  const counted = createConnections({
    most: { all: 100, ofAddress: 100, unparsedBytes },
    ...connectionAddresses(trustedProxies),
    warn: () => {},
  });
  const server = await listen({ port: 0, host: '127.0.0.1' }, { counted });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const unsent = createUnsentBytes();
  const app = {
    async fetch(request: Request) {
      if (request.url.endsWith('/held')) await held;
      const text = request.method === 'POST' ? await request.text() : '';
      return new Response(`answer to ${text.length}\n`);
    },
  };
  attach({ newId: () => 'id', server, app, publicUrl: 'http://localhost', report: () => {}, unsent });
  let parsed = 0;
  /** The pieces of bodies. */
  let chunks = 0;
  server.on('request', (incoming: IncomingMessage) => {
    parsed += 1;
    const push = incoming.push.bind(incoming);
    incoming.push = (chunk: unknown, encoding) => {
      if (chunk !== null) chunks += 1;
      return push(chunk, encoding);
    };
  });
  ends.push(() => stop(server), release);
  const { port } = server.address() as AddressInfo;
  return {
    counted,
    release,
    unsent,
    /** How many requests were parsed. */
    parsed: () => parsed,
    chunks: () => chunks,
    /** Opens a connection that sends this. */
    async open(address: string, ...sent: string[]) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: address }).on('error', () => {});
      ends.push(() => void socket.destroy());
      let received = '';
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      await once(socket, 'connect');
      for (const text of sent) socket.write(text);
      return {
        socket,
        answers: () => received.match(/^answer to \d+$/gm)?.map((line) => Number(line.slice(10))) ?? [],
      };
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const post = (length: number) => `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`;
const crowded = pipelineLimits.waiting + 2;
const crowd = get('/held') + get('/').repeat(crowded - 1);

test('after many requests at once, the connections of the address are parsed one request at a time', async () => {
  const { open, parsed, release } = await start();
  const before = await open('127.0.0.1');
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(crowded);
  const later = await open('127.0.0.1', get('/held') + get('/').repeat(1000));
  before.socket.write(get('/held') + get('/').repeat(500));
  await expect.poll(parsed).toBe(crowded + 2);
  // Others are not concerned.
  await open('127.0.0.2', get('/held') + get('/').repeat(9));
  await expect.poll(parsed).toBe(crowded + 2 + 10);
  release();
  await expect.poll(parsed).toBe(crowded + 2 + 10 + 1500);
  await expect.poll(() => [later.answers().length, before.answers().length]).toEqual([1001, 501]);
});

test('the connections of a proxy that many users share are read as before', async () => {
  const { open, parsed } = await start();
  await open('127.0.0.9', crowd);
  await expect.poll(parsed).toBe(crowded);
  await open('127.0.0.9', get('/held') + get('/').repeat(9));
  await expect.poll(parsed).toBe(crowded + 10);
});

test('bodies, partial requests and later ones are read to their ends', async () => {
  const { open, release, unsent } = await start();
  await open('127.0.0.1', crowd);
  release();
  const lengths = [3, 100_000, 0, 5000, 1, 200_000, 0];
  const text = lengths.map(post).join('');
  const one = await open('127.0.0.1', text);
  await expect.poll(one.answers).toEqual(lengths);
  const split = await open('127.0.0.1');
  for (let from = 0; from < 400; from += 7) {
    split.socket.write(text.slice(from, from + 7));
    await new Promise(setImmediate);
  }
  split.socket.write(text.slice(406) + get('/'));
  await expect.poll(split.answers).toEqual([...lengths, 0]);
  await expect.poll(unsent.measure).toBe(0);
});

test('a body whose length is known is parsed as it arrives, but nothing behind it', async () => {
  const { open, parsed, release, chunks } = await start();
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(crowded);
  const { answers } = await open('127.0.0.1', post(3) + post(200_000) + get('/held') + get('/').repeat(500));
  await expect.poll(parsed).toBe(crowded + 3);
  await expect.poll(answers).toEqual([3, 200_000]);
  // Some reads of 64 KiB. The last one has the next requests, too.
  expect(chunks()).toBeLessThan(20);
  release();
  await expect.poll(() => answers().length).toBe(503);
});

test('of a body whose end is not known, nothing behind it is parsed with it', async () => {
  const { open, parsed } = await start();
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(crowded);
  const behind = get('/held') + get('/').repeat(500);
  const chunked = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const one = await open('127.0.0.1', chunked + behind);
  await expect.poll(one.answers).toEqual([3]);
  // What one slice has: the body and some heads of 25 bytes.
  const most = 1024 / get('/').length + 2;
  expect(parsed() - crowded).toBeLessThan(most);
  // The head has arrived in two pieces, so the second one has some of the body.
  const head = post(60_000).slice(0, -60_000);
  const two = await open('127.0.0.1', head.slice(0, -1));
  const before = parsed();
  await new Promise((resolve) => setTimeout(resolve, 50));
  two.socket.write('\n' + 'x'.repeat(60_000) + behind);
  await expect.poll(two.answers).toEqual([60_000]);
  expect(parsed() - before).toBeLessThan(most);
});

test('what waits is bounded for the address, and given back at the end', async () => {
  const text = get('/held') + get('/').repeat(100);
  const { open, parsed } = await start({ unparsedBytes: 2 * text.length });
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(crowded);
  const [first] = [await open('127.0.0.1', text), await open('127.0.0.1', text)];
  await expect.poll(parsed).toBe(crowded + 2);
  const refused = await open('127.0.0.1', text);
  await once(refused.socket, 'close');
  expect(parsed()).toBe(crowded + 2);
  first.socket.resetAndDestroy();
  const last = await open('127.0.0.1', get('/'));
  await expect.poll(last.answers).toEqual([0]);
});

test('a client that leaves while its requests are not parsed yet is noticed', async () => {
  const { open, parsed, counted } = await start();
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(crowded);
  const { socket } = await open('127.0.0.1', get('/held') + get('/').repeat(100));
  await expect.poll(parsed).toBe(crowded + 1);
  const [, ofServer] = counted.sockets;
  const read = ofServer!.bytesRead;
  socket.write(get('/'));
  await expect.poll(() => ofServer!.bytesRead).toBeGreaterThan(read);
  socket.destroy();
  await expect.poll(() => counted.sockets.size).toBe(1);
  expect(parsed()).toBe(crowded + 1);
});

test('a body that the server does not read yet is not held in memory', async () => {
  const { open, counted, release } = await start();
  const size = 8 * 1024 * 1024;
  const { answers } = await open('127.0.0.1', get('/').repeat(2) + post(size).replace('POST /', 'POST /held'));
  await expect.poll(answers).toEqual([0, 0]);
  const [ofServer] = counted.sockets;
  const other = await open('127.0.0.2');
  for (let count = 1; count <= 50; count += 1) {
    other.socket.write(get('/'));
    await expect.poll(() => other.answers().length).toBe(count);
  }
  expect(ofServer!.bytesRead).toBeLessThan(size / 8);
  release();
  await expect.poll(answers).toEqual([0, 0, size]);
});

test('an address is read as others again after a while', async () => {
  const clock = vi.spyOn(performance, 'now');
  ends.push(() => clock.mockRestore());
  const { open, parsed, counted } = await start();
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(crowded);
  const [first] = counted.sockets;
  const listeners = first!.listenerCount('resume');
  const from = performance.now();
  clock.mockImplementation(() => from + pipelineLimits.forMs);
  await open('127.0.0.1', get('/held') + get('/').repeat(9));
  await expect.poll(parsed).toBe(crowded + 10);
  // And then one request at a time again, but not once more.
  await open('127.0.0.1', crowd);
  await expect.poll(parsed).toBe(2 * crowded + 10);
  await open('127.0.0.1', get('/held') + get('/').repeat(9));
  await expect.poll(parsed).toBe(2 * crowded + 11);
  expect(first!.listenerCount('resume')).toBe(listeners);
});
