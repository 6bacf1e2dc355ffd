import type { GuestEvent, SharedDevice } from '@swarmdeck/bff/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { foreignResponse } from '../../data/responses.fixture.ts';
import { followLink, seenAfter, type GuestState } from './guest-stream.ts';

const time = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`;
const ferry = (minute: number, latitude = minute): SharedDevice => ({
  key: 7,
  name: 'Ferry',
  machine_type: 'pc',
  position: { longitude: 8, latitude },
  accuracy: null,
  located_at: time(minute),
});
type Opening = Extract<GuestEvent, { type: 'opened' }>;
const opened = (more: Partial<Opening> = {}): Opening => ({
  type: 'opened',
  now: time(0),
  shared_by: 'ann',
  expires_at: time(59),
  shows: 'device',
  devices: [ferry(0)],
  ...more,
});
const seen = (more: Partial<Opening> = {}) => seenAfter(undefined, opened(more))!;

test('a track grows with each position, and a link without one has none', () => {
  const before = seen({ track: [] });
  const change = (...devices: SharedDevice[]) => ({ type: 'changed', devices }) as const;
  const moved = seenAfter(before, change(ferry(1)))!;
  expect(moved.track).toEqual([{ at: time(1), longitude: 8, latitude: 1 }]);
  const renamed = seenAfter(moved, change({ ...ferry(1), name: 'Night ferry' }))!;
  expect([renamed.devices.get(7)!.name, renamed.track]).toEqual(['Night ferry', moved.track]);
  const removed = seenAfter(moved, change({ ...ferry(2), position: null }))!;
  expect([removed.devices.get(7)!.position, removed.track]).toEqual([null, moved.track]);
  expect(seenAfter(seen(), change(ferry(1)))).not.toHaveProperty('track');
});

test('a track that grows for hours keeps its last thousand points', () => {
  const at = (second: number) => ({
    ...ferry(0, second),
    located_at: new Date(Date.parse(time(0)) + second * 1000).toISOString(),
  });
  let now = seen({ track: [] });
  for (let second = 1; second <= 3600; second += 1) now = seenAfter(now, { type: 'changed', devices: [at(second)] })!;
  expect([now.track!.length, now.track![0]!.latitude, now.track!.at(-1)!.latitude]).toEqual([1000, 2601, 3600]);
});

test('devices of a swarm come and go', () => {
  const before = seen({ shows: 'swarm', devices: [ferry(0), { ...ferry(0), key: 8 }] });
  const after = seenAfter(before, { type: 'changed', devices: [{ ...ferry(1), key: 9 }], gone: [7, 6] })!;
  expect([...after.devices.keys()]).toEqual([8, 9]);
  expect(before.devices.size).toBe(2);
});

test('an earlier end is known', () => {
  expect(seenAfter(seen(), { type: 'end_changed', expires_at: time(30) })!.expires_at).toBe(time(30));
});

afterEach(() => vi.restoreAllMocks());

/** Answers of the server, one for each request. */
function answerWith(...answers: (Response | Error)[]) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const next = answers.shift() ?? new Error('no more answers');
    if (next instanceof Error) throw next;
    return next;
  });
}
const stream = (...events: object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

async function statesOf(isLast: (state: GuestState) => boolean): Promise<GuestState[]> {
  const states: GuestState[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = followLink('code', (state) => {
    states.push(state);
    if (isLast(state)) resolve();
  });
  await promise;
  stop();
  return states;
}

test('the code is in a header only, and the end is shown at once, with what was seen', async () => {
  const fetched = answerWith(stream(opened(), { type: 'ended' }));
  const states = await statesOf(({ phase }) => phase === 'ended');
  expect(states).toEqual([
    { phase: 'live', seen: seen() },
    { phase: 'ended', seen: seen() },
  ]);
  const [path, options] = fetched.mock.calls[0]!;
  expect(path).toBe('/guest/events');
  expect(options).toMatchObject({ headers: { 'x-share-code': 'code' }, credentials: 'omit' });
});

test('a stream that was closed is opened again, and one that is unknown then has ended', async () => {
  answerWith(stream(opened()), new Response('{}', { status: 404 }));
  const states = await statesOf(({ phase }) => phase === 'ended');
  expect(states.map(({ phase }) => phase)).toEqual(['live', 'ended']);
});

test('without a network, or with the page of another one, it is lost, and tried again', async () => {
  answerWith(new TypeError('no network'), foreignResponse('Sign in to the hotel', { status: 404 }), stream(opened()));
  const states = await statesOf(({ phase }) => phase === 'live');
  expect(states.map(({ phase, why }) => why ?? phase)).toEqual(['network', 'network', 'live']);
});

test('too many viewers are a state of their own', async () => {
  answerWith(new Response('{}', { status: 429 }));
  const states = await statesOf(() => true);
  expect(states).toEqual([{ phase: 'lost', why: 'busy' }]);
});

/** A stream that is open and says no more after these events, until the page leaves it. */
const silentAfter = (...events: object[]) =>
  new Response(
    new ReadableStream({
      start: (body) =>
        body.enqueue(new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))),
    }),
  );

/** As browsers do: what is aborted is rejected, also while the body is read. Requests after these answers get none. */
function answerInTunnel(...answers: Response[]) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const answer = answers.shift();
    if (answer) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      answer.body!.pipeTo(writable, { signal: init!.signal! }).catch(() => undefined);
      resolve(new Response(readable, answer));
    }
    init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
    return promise;
  });
}

describe('a network that loses everything', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is said within half a minute', async () => {
    const fetched = answerInTunnel(silentAfter(opened()));
    const states: GuestState[] = [];
    const stop = followLink('code', (state) => states.push(state));
    await vi.advanceTimersByTimeAsync(24_900);
    expect([states.map(({ phase }) => phase), fetched.mock.calls.length]).toEqual([['live'], 1]);
    await vi.advanceTimersByTimeAsync(5300);
    expect(states.slice(1)).toEqual([{ phase: 'lost', why: 'network', seen: seen() }]);
    stop();
  });

  test('is said at once if the browser knows it', async () => {
    answerInTunnel(silentAfter(opened()));
    const states: GuestState[] = [];
    const stop = followLink('code', (state) => states.push(state));
    await vi.advanceTimersByTimeAsync(0);
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
    dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(200);
    expect(states.map(({ phase }) => phase)).toEqual(['live', 'lost']);
    stop();
  });
});
