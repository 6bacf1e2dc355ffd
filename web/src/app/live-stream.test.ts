import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStream, type Connect, type LiveStream } from './live-stream.ts';

type Hear = Parameters<Connect>[1];
let sources: (Hear & { url: string; closed: boolean })[];
let log: string[];
let signedIn: boolean;
let stream: LiveStream | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  sources = [];
  log = [];
  signedIn = true;
});
afterEach(() => {
  stream?.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const start = (after?: string) =>
  (stream = openStream({
    connect(url, listeners) {
      const source = { ...listeners, url, closed: false };
      sources.push(source);
      return { close: () => (source.closed = true) };
    },
    urlOf: (last) => `after ${last}`,
    after,
    onEvent: (data, id) => log.push(`${data} ${id}`),
    opened: (complete) => log.push(complete ? 'resumed' : 'opened'),
    disconnected: () => log.push('disconnected'),
    mayTry: () => signedIn,
  }));
const newest = () => sources.at(-1)!;
const urls = () => sources.map(({ url }) => url);

it('reconnects after its last event and reports that events may be missing', () => {
  start();
  newest().opened();
  newest().onEvent('a', 'p-1');
  newest().onEvent('', 'p-2');
  newest().failed();
  expect(sources[0]!.closed).toBe(true);
  vi.advanceTimersByTime(300);
  newest().opened();
  expect(urls()).toEqual(['after undefined', 'after p-2']);
  expect(log).toEqual(['opened', 'a p-1', ' p-2', 'opened']);
});

it('misses no event if it is reopened, or if another tab passed on its last event id', () => {
  const opened = start('p-7');
  newest().opened();
  opened.reopen();
  newest().opened();
  expect(urls()).toEqual(['after p-7', 'after p-7']);
  expect(sources.map(({ closed }) => closed)).toEqual([true, false]);
  expect(log).toEqual(['resumed', 'resumed']);
});

it('waits longer after each failed attempt, is disconnected after the second, and can retry immediately', () => {
  const opened = start();
  for (const seconds of [0.3, 2, 4, 8, 15, 30, 30]) {
    newest().failed();
    const before = sources.length;
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(sources).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(sources).toHaveLength(before + 1);
  }
  expect(log).toEqual(['disconnected']);
  newest().failed();
  const before = sources.length;
  opened.tryNow();
  expect(sources).toHaveLength(before + 1);
});

it('replaces a connection that is silent for 25 seconds', () => {
  start();
  newest().opened();
  vi.advanceTimersByTime(24_000);
  newest().onEvent('', 'p-1');
  vi.advanceTimersByTime(24_000);
  expect(sources).toHaveLength(1);
  vi.advanceTimersByTime(1_500);
  expect(urls()).toEqual(['after undefined', 'after p-1']);
});

it('is disconnected half a minute after a network began to lose everything, also if the user goes from page to page', () => {
  const opened = start();
  newest().opened();
  for (let page = 0; page < 2; page += 1) {
    vi.advanceTimersByTime(10_000);
    opened.reopen();
  }
  vi.advanceTimersByTime(9_900);
  expect(log).toEqual(['opened']);
  vi.advanceTimersByTime(200);
  expect(log).toEqual(['opened', 'disconnected']);
  // The second attempt is still awaited.
  vi.advanceTimersByTime(60_000);
  expect(log).toEqual(['opened', 'disconnected']);
  newest().opened();
  expect(log).toEqual(['opened', 'disconnected', 'opened']);
});

it('a server that is there again in time is not said to be away', () => {
  start();
  newest().opened();
  newest().failed();
  vi.advanceTimersByTime(4000);
  newest().opened();
  vi.advanceTimersByTime(20_000);
  expect(log).toEqual(['opened', 'opened']);
});

it('connects again once the browser has no network, which ends connections only later', () => {
  const opened = start('p-7');
  newest().opened();
  dispatchEvent(new Event('offline'));
  expect(sources.map(({ closed }) => closed)).toEqual([true, false]);
  newest().failed();
  vi.advanceTimersByTime(300);
  newest().failed();
  expect(log).toEqual(['resumed', 'disconnected']);
  opened.close();
  dispatchEvent(new Event('offline'));
  expect(sources).toHaveLength(3);
});

it('does not reconnect while the user is signed out', () => {
  start();
  signedIn = false;
  newest().failed();
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
  expect(log, 'it is not lost').toEqual([]);
  signedIn = true;
  vi.advanceTimersByTime(1000);
  expect(sources).toHaveLength(2);
});

it('does nothing after it was closed', () => {
  start().close();
  expect(newest().closed).toBe(true);
  vi.advanceTimersByTime(100_000);
  expect(sources).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
