import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStream, type Connect } from './live-stream.ts';

type Hear = Parameters<Connect>[1];
let sources: (Hear & { url: string; closed: boolean })[];
let log: string[];
let signedIn: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  sources = [];
  log = [];
  signedIn = true;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const start = (after?: string) =>
  openStream({
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
  });
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
  const stream = start('p-7');
  newest().opened();
  stream.reopen();
  newest().opened();
  expect(urls()).toEqual(['after p-7', 'after p-7']);
  expect(sources.map(({ closed }) => closed)).toEqual([true, false]);
  expect(log).toEqual(['resumed', 'resumed']);
});

it('waits longer after each failed attempt, is disconnected after the second, and can retry immediately', () => {
  const stream = start();
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
  stream.tryNow();
  expect(sources).toHaveLength(before + 1);
});

it('replaces a connection that is silent for 45 seconds', () => {
  start();
  newest().opened();
  vi.advanceTimersByTime(44_000);
  newest().onEvent('', 'p-1');
  vi.advanceTimersByTime(44_000);
  expect(sources).toHaveLength(1);
  vi.advanceTimersByTime(1_500);
  expect(urls()).toEqual(['after undefined', 'after p-1']);
});

it('does not reconnect while the user is signed out', () => {
  start();
  signedIn = false;
  newest().failed();
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(1);
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
