import { createServer, ServerResponse, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hourMs } from '../limits/durations.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { credentialsCheckedEveryMs } from './ended-credentials.ts';
import { createEventStreams, type EventStream, type EventStreams } from './event-streams.ts';
import { quotasOf } from '../limits/quotas.ts';
import { expectEnd, listen, type Listener } from '../../tests/events.fixture.ts';
import { problemResponse } from './problem-response.ts';
import { Problem } from '../problem.ts';

let server: Server;
let streams: EventStreams;
let url: string;
/** The ids of revoked keys and ended sessions. */
let gone: Set<string>;
let reported: unknown[];
/** Sent to each new stream. */
let missed: string;
/** Thrown for a stream of the key `broken`. */
const fault = new Error('cannot begin');
/** The open streams on the server. */
let open: Map<string, EventStream>;
const clients: Listener[] = [];

/** `GET /<user>/<key>` or `/<user>/<key>/<session>`: a stream. */
beforeEach(async () => {
  gone = new Set();
  reported = [];
  missed = '';
  open = new Map();
  const areGone = async (ids: string[]) => ids.filter((id) => gone.has(id));
  streams = createEventStreams({
    endedOf: { key: areGone, session: areGone, link: areGone },
    quotas: quotasOf(1),
    report: (error) => reported.push(error),
  });
  const app = new Hono();
  app.get('/:user/:key/:session?', (c) => {
    const { user, key, session } = c.req.param();
    return streams.open(c, {
      user,
      proofs: [{ kind: 'key', id: key }, ...(session ? [{ kind: 'session', id: session } as const] : [])],
      cursorLine: () => 'id: p-1\n',
      begin(stream) {
        if (key === 'broken') throw fault;
        open.set(key, stream);
        if (missed !== '') stream.send(missed);
        return { started: Promise.resolve(), stop: () => void open.delete(key) };
      },
    });
  });
  app.onError((error) =>
    problemResponse({
      error,
      bindings: testBindings(),
      report: (fault) => fault instanceof Problem || reported.push(fault),
    }),
  );
  server = createServer();
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings));
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) client.close();
  server.close();
  server.closeAllConnections();
  await once(server, 'close').catch(() => {});
  if (reported.length > 0) throw reported[0];
});

async function client(path: string): Promise<Listener> {
  const made = await listen(`${url}${path}`, {});
  clients.push(made);
  return made;
}
const event = (type: string) => `data: {"type":"${type}"}\n\n`;

it('starts with its position and the retry time, then sends events', async () => {
  const ann = await client('/ann/k1');
  expect(Object.fromEntries(ann.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  open.get('k1')!.send(event('a'));
  open.get('k1')!.send(Buffer.from(event('b')));
  await ann.until(({ type }) => (type as string) === 'b');
  expect(ann.events).toHaveLength(2);
  expect(ann.lines.filter((line) => line !== '').slice(0, 2)).toEqual([
    expect.stringMatching(/^retry: [1-3]\d{3}$/),
    'id: p-1',
  ]);
});

it('sends chunks that the stream before it was sent as one chunk, and the next streams share it', async () => {
  const all = [await client('/ann/k1'), await client('/bob/k2'), await client('/cyd/k3')];
  const write = vi.spyOn(ServerResponse.prototype, 'write');
  const [a, b, c] = ['a', 'b', 'c'].map((type) => Buffer.from(event(type))) as [Buffer, Buffer, Buffer];
  for (const key of ['k1', 'k2', 'k3']) open.get(key)!.sendAll([a, b]);
  for (const key of ['k1', 'k2', 'k3']) open.get(key)!.sendAll([c]);
  const written = write.mock.calls.map(([chunk]) => chunk);
  write.mockRestore();
  const both = Buffer.concat([a, b]);
  expect(written).toEqual([a, b, both, both, c, c, c]);
  expect([written[0] === a, written[3] === written[2], written[6] === c]).toEqual([true, true, true]);
  for (const { until } of all) await until(({ type }) => (type as string) === 'c');
  for (const { events } of all) expect(events.map(({ type }) => type as string)).toEqual(['a', 'b', 'c']);
});

it('sends its position after the missed events', async () => {
  missed = `id: p-0\n${event('missed')}`;
  const ann = await client('/ann/k1');
  open.get('k1')!.send(event('now'));
  await ann.until(({ type }) => (type as string) === 'now');
  expect(ann.lines.filter((line) => line.startsWith('id: '))).toEqual(['id: p-0', 'id: p-1']);
});

it('answers HEAD without a body and opens no stream', async () => {
  const answer = await fetch(`${url}/ann/k1`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(open.size).toBe(0);
});

it('ends when its key is revoked; other streams continue', async () => {
  const [ann, bob] = [await client('/ann/k1'), await client('/bob/k2')];
  gone.add('k1');
  await expectEnd(ann);
  open.get('k2')!.send(event('still'));
  await bob.until(({ type }) => (type as string) === 'still');
  expect([...open.keys()]).toEqual(['k2']);
  expect(streams.measure()).toMatchObject({ open: { key: 1, session: 0 }, ended: { revoked: 1, client: 0 } });
});

it('with two credentials is counted once, by the first, and ends with either', async () => {
  const [ann, bob] = [await client('/ann/k1/s1'), await client('/bob/k2/s2')];
  expect(streams.measure().open).toEqual({ key: 2, session: 0, link: 0 });
  gone.add('s1').add('k2');
  await Promise.all([expectEnd(ann), expectEnd(bob)]);
  await expect.poll(() => streams.measure()).toMatchObject({ open: { key: 0, session: 0 }, ended: { revoked: 2 } });
});

it('is closed and gives its slot back if it cannot begin', async () => {
  await expectEnd(await client('/ann/broken'));
  await expect.poll(() => streams.measure()).toMatchObject({ open: { key: 0 }, ended: { failed: 1 } });
  expect(streams.count('ann')).toBe(0);
  expect(reported.splice(0)).toEqual([fault]);
});

it('that has failed is counted as failed, and not as revoked', async () => {
  const ann = await client('/ann/k1');
  open.get('k1')!.fail();
  await expectEnd(ann);
  await expect.poll(() => streams.measure().ended).toMatchObject({ failed: 1, revoked: 0 });
});

it('gives a reserved slot back once, however often it is released', () => {
  const also = { user: 'others of ann' };
  const release = streams.reserve({ user: 'ann', also });
  streams.reserve({ user: 'ann', also });
  release();
  release();
  expect([streams.count('ann'), streams.count(also.user)]).toEqual([1, 1]);
});

it('is removed when its client disconnects', async () => {
  const ann = await client('/ann/k1');
  ann.close();
  await vi.waitFor(() => expect(open.size).toBe(0));
  expect(streams.measure()).toMatchObject({ open: { key: 0 }, ended: { client: 1 } });
});

it('is limited to fifty per user, and possible again when one has ended', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, (_, index) => client(`/ann/k${index}`)));
  const refused = await fetch(`${url}/ann/k50`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '5']);
  expect(await refused.json()).toMatchObject({ code: 'events.too_many' });
  expect((await client('/bob/k51')).status).toBe(200);
  all[7]!.close();
  await vi.waitFor(async () => expect((await client('/ann/k52')).status).toBe(200));
});

it('is closed if its client does not read, without affecting other streams', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.write('GET /stuck/k1 HTTP/1.1\r\nhost: x\r\n\r\n');
  const cut = once(socket, 'close');
  await vi.waitFor(() => expect(open.size).toBe(1));
  const reads = await client('/reads/k2');
  const piece = Buffer.from(`: ${'x'.repeat(16_000)}\n`);
  let pieces = 0;
  while (open.has('k1') && pieces < 5000) {
    pieces += 1;
    open.get('k1')?.send(piece);
    open.get('k2')!.send(event('piece'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The kernel buffers some MB between two sockets.
  expect(pieces).toBeLessThan(5000);
  open.get('k2')!.send(event('last'));
  await reads.until(({ type }) => (type as string) === 'last');
  expect(reads.events).toHaveLength(pieces + 1);
  expect(streams.measure()).toMatchObject({ open: { key: 1 }, ended: { slow: 1, client: 0 } });
  socket.resume();
  socket.on('error', () => {});
  await cut;
});

it('buffers about 256 KiB', async () => {
  const ann = await client('/ann/k1');
  // The client reads nothing before this tick of the event loop ends.
  const send = (kilobytes: number) => {
    for (let sent = 0; sent < kilobytes; sent++) open.get('k1')!.send(`: ${'x'.repeat(1021)}\n`);
  };
  send(200);
  open.get('k1')!.send(event('fits'));
  await ann.until(({ type }) => (type as string) === 'fits');
  send(300);
  await expectEnd(ann);
  const read = ann.lines.filter((line) => line.startsWith(': ')).length;
  expect(read).toBeGreaterThanOrEqual(200);
  expect(read).toBeLessThan(500);
});

it('sends a comment and its position about every fifteen seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const ann = await client('/ann/k1');
  const alive = () => ann.lines.filter((line) => line === ':').length;
  vi.advanceTimersByTime(12_000);
  expect(alive()).toBe(0);
  vi.advanceTimersByTime(6000);
  await vi.waitFor(() => expect(alive()).toBe(1));
  expect(ann.lines.slice(-3)).toEqual([':', 'id: p-1', '']);
  vi.advanceTimersByTime(150_000);
  await vi.waitFor(() => expect(alive()).toBeGreaterThanOrEqual(9));
});

it('ends after half a day, so that the client authenticates again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const ann = await client('/ann/k1');
  for (let hours = 0; hours < 13; hours++) vi.advanceTimersByTime(hourMs);
  await expectEnd(ann);
});

it('ends immediately when the server stops, and none is opened after that', async () => {
  const all = await Promise.all([client('/ann/k1'), client('/bob/k2')]);
  streams.end();
  await Promise.all(all.map(({ ended }) => ended));
  const refused = await fetch(`${url}/ann/k3`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
});

it('continues if the check of its key fails, and reports the error', async () => {
  streams.end();
  streams = createEventStreams({
    endedOf: {
      key: () => {
        throw new Error('the store is away');
      },
      session: async () => [],
      link: async () => [],
    },
    quotas: quotasOf(1),
    report: (error) => reported.push(error),
  });
  const ann = await client('/ann/k1');
  await vi.waitFor(() => expect(reported).not.toEqual([]));
  open.get('k1')!.send(event('still'));
  await ann.until(({ type }) => (type as string) === 'still');
  reported.length = 0;
  ann.close();
  await vi.waitFor(() => expect(open.size).toBe(0));
});

it('checks its key once at a time, however long the database takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let checks = 0;
  const first = Promise.withResolvers<string[]>();
  streams.end();
  streams = createEventStreams({
    endedOf: {
      key: () => {
        checks += 1;
        return checks === 1 ? first.promise : Promise.resolve([]);
      },
      session: async () => [],
      link: async () => [],
    },
    quotas: quotasOf(1),
    report: (error) => reported.push(error),
  });
  await client('/ann/k1');
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(() => expect(checks).toBe(1));
  first.resolve([]);
  await nextLoopTick();
  vi.advanceTimersByTime(credentialsCheckedEveryMs);
  await vi.waitFor(() => expect(checks).toBe(2));
});
