import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { connectionAddresses } from './client-address.ts';
import { connectionLimits } from '../limits/operation-limits.ts';
import { createRate } from '../limits/rate.ts';
import { createConnections } from './connections.ts';
import { createPacing } from './pacing.ts';
import { attach, listen, stop } from './server.ts';

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A server for clients of the addresses 127.0.0.x. A request of `/held` is answered at the end of the test. */
async function start(most: { all: number; ofAddress: number }) {
  const warned: object[] = [];
  const trustedProxies = [{ address: '127.0.0.9', prefix: 32, family: 'ipv4' as const }];
  const counted = createConnections({
    most: { ...connectionLimits, ...most },
    ...connectionAddresses(trustedProxies),
    warn: (_, facts) => void warned.push(facts),
  });
  const server = await listen({ port: 0, host: '127.0.0.1' }, { counted });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const anonymous = createRate({ perSecond: Number.POSITIVE_INFINITY, burst: 1, now: () => new Date() });
  const pacing = createPacing({ anonymous, addressOf: () => '', isTrusted: () => false });
  const app = {
    pacing,
    async fetch(request: Request) {
      if (request.url.endsWith('/held')) await held;
      if (request.url.endsWith('/refused')) return new Response('refused', { status: 429 });
      return new Response('answer');
    },
  };
  attach({ newId: () => 'id', server, app, publicUrl: 'http://localhost', report: () => {} });
  ends.push(() => stop(server), release);
  const { port } = server.address() as AddressInfo;
  /** Opens a connection that the server has seen. `path`: of a request that it sends. */
  return {
    pacing,
    warned,
    counted,
    async open(address: string, path?: string): Promise<{ socket: Socket; isClosed: () => boolean }> {
      const seen = once(server, 'connection');
      const socket = connect({ port, host: '127.0.0.1', localAddress: address }).on('error', () => {});
      let isClosed = false;
      socket.on('close', () => (isClosed = true)).resume();
      ends.push(() => void socket.destroy());
      await seen;
      if (path !== undefined) {
        const asked = path === '/held' ? once(server, 'request') : once(socket, 'data');
        socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
        await asked;
      }
      return { socket, isClosed: () => isClosed };
    },
  };
}

const closed = async ({ socket }: { socket: Socket }) => socket.destroyed || (await once(socket, 'close'));

test('an address has so many connections: one more closes an idle one, and what is answered stays', async () => {
  const { open, warned, counted } = await start({ all: 100, ofAddress: 3 });
  const busy = await open('127.0.0.1', '/held');
  const answered = await open('127.0.0.1', '/');
  const silent = await open('127.0.0.1');
  await open('127.0.0.1', '/held');
  await closed(answered);
  await open('127.0.0.1', '/held');
  await closed(silent);
  expect(busy.isClosed()).toBe(false);
  // All are answered: now the new one is closed.
  const refused = await open('127.0.0.1');
  await closed(refused);
  expect(busy.isClosed()).toBe(false);
  expect(counted.sockets.size).toBe(3);
  expect(warned).toEqual([{ address: '127.0.0.1', connections: 3 }]);
  // Others are not concerned.
  expect((await open('127.0.0.2', '/')).isClosed()).toBe(false);
});

test('if there are too many of all, the address that has most loses its idle ones', async () => {
  const { open, counted } = await start({ all: 4, ofAddress: 4 });
  const own = await open('127.0.0.2');
  const many = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1', '/held')];
  const next = await open('127.0.0.3', '/');
  await closed(many[0]!);
  expect([own, many[1]!, many[2]!, next].map(({ isClosed }) => isClosed())).toEqual([false, false, false, false]);
  expect(counted.sockets.size).toBe(4);
});

test('a connection whose refusal waits is idle, also with requests behind it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  ends.push(() => void vi.useRealTimers());
  const { open, pacing } = await start({ all: 100, ofAddress: 2 });
  const refused = await open('127.0.0.1', '/refused');
  refused.socket.write('GET /refused HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(pacing.measure).toBe(1);
  refused.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
  const busy = await open('127.0.0.1', '/held');
  const next = await open('127.0.0.1', '/held');
  await closed(refused);
  expect([busy, next].map(({ isClosed }) => isClosed())).toEqual([false, false]);
});

test('the connections of a trusted proxy are those of many clients', async () => {
  const { open, counted } = await start({ all: 100, ofAddress: 2 });
  for (let n = 0; n < 5; n++) await open('127.0.0.9');
  expect(counted.sockets.size).toBe(5);
});

test('a partial head, and the end of a connection, are no request', async () => {
  const { open, counted } = await start({ all: 100, ofAddress: 2 });
  const slow = await open('127.0.0.1');
  slow.socket.write('GET / HTTP/1.1\r\nx: ');
  const other = await open('127.0.0.1', '/held');
  await open('127.0.0.1', '/held');
  await closed(slow);
  const serverSide = [...counted.sockets].map((socket) => once(socket, 'close'));
  other.socket.destroy();
  await Promise.race(serverSide);
  await open('127.0.0.1', '/held');
  expect(counted.sockets.size).toBe(2);
});
