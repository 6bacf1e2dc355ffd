import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, beforeEach, vi } from 'vitest';
import { lastMove } from '../api/connection-status.ts';
import { startLive, topicsShown, urlOf, throttle } from './live.ts';

const device = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';

it('contains the visible queries with valid names', () => {
  const client = new QueryClient();
  const keys = [
    ['devices', 'pages', ''],
    ['map', { audience: `swarm:${device}` }],
    ['map', { audience: 'swarm:nonsense' }],
    ['resource', device],
    ['resource', device, 'swarms'],
    ['resource', 'nonsense'],
  ];
  client.setQueryData(['map', { audience: 'visible' }], 'nobody looks at it');
  const ends = keys.map((queryKey) => new QueryObserver(client, { queryKey, queryFn: () => 0 }).subscribe(() => {}));
  expect(topicsShown(client)).toEqual({ audiences: ['own', `swarm:${device}`], resources: [device] });
  for (const end of ends) end();
  expect(topicsShown(client)).toEqual({ audiences: [], resources: [] });
  client.clear();
});

it('writes at most 20 resources to the URL of the stream', () => {
  const many = Array.from({ length: 30 }, (_, number) => `r${number}`);
  const query = new URL(urlOf({ topics: { audiences: ['own'], resources: many }, after: 'p-1' }), 'http://here');
  expect(query.searchParams.get('watch')).toBe('own');
  expect(query.searchParams.get('resource')?.split(',')).toHaveLength(20);
  expect(query.searchParams.get('last_event_id')).toBe('p-1');
  const none = { audiences: [], resources: [] };
  expect(urlOf({ topics: none, after: undefined })).toBe('/api/events?watch=');
  expect(urlOf({ topics: none, after: 'p-3', first: 'p-3' })).toBe('/api/events?watch=&position=p-3');
  expect(urlOf({ topics: none, after: 'p-4', first: 'p-3' })).toBe('/api/events?watch=&last_event_id=p-4');
});

it('notes when a map has changed, but not when a stream resumes', async () => {
  const takers: ((message: { data: string }) => void)[] = [];
  class Stream {
    addEventListener(type: string, take: (message: { data: string }) => void) {
      if (type === 'message') takers.push(take);
    }
    close() {}
  }
  vi.stubGlobal('EventSource', Stream);
  const request = async (_name: string, _options: LockOptions, hold: () => Promise<void>) => hold();
  vi.stubGlobal('navigator', { locks: { request } });
  const client = new QueryClient();
  const stop = startLive({ client, user_id: 'ann' });
  await vi.advanceTimersByTimeAsync(1000);
  const receive = (data: object) => {
    const event = { id: 'p-1', type: 'map.changed', at: '2026-01-02T03:04:05.678Z', data };
    for (const take of takers) take({ data: JSON.stringify(event) });
  };
  receive({ audience: 'visible', version: 'p-1', resumed: true });
  expect(lastMove('visible')).toBeUndefined();
  receive({ audience: 'visible', version: 'p-2' });
  expect(lastMove('visible')).toBe(Date.parse('2026-01-02T03:04:05.678Z'));
  stop();
  client.clear();
});

beforeEach(() => void vi.useFakeTimers());

it('runs immediately, then at most once in each period, and once after the last call', async () => {
  let runs = 0;
  const refetch = throttle({ everyMs: 200, run: async () => (runs += 1) });
  for (let step = 0; step < 49; step += 1) {
    refetch.schedule();
    if (step === 0) expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(runs).toBe(5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(6);
});

it('rests longer while it is asked to', async () => {
  let [runs, pause] = [0, 3000];
  const refetch = throttle({ everyMs: 200, pauseMs: () => pause, run: async () => (runs += 1) });
  refetch.schedule();
  refetch.schedule();
  await vi.advanceTimersByTimeAsync(2900);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(runs).toBe(2);
  refetch.schedule();
  await vi.advanceTimersByTimeAsync(1000);
  pause = 0;
  await vi.advanceTimersByTimeAsync(200);
  expect(runs).toBe(3);
});

it('never runs concurrently', async () => {
  let runs = 0;
  const answer = Promise.withResolvers<void>();
  const refetch = throttle({ everyMs: 200, run: () => ((runs += 1), answer.promise) });
  refetch.schedule();
  await vi.advanceTimersByTimeAsync(1000);
  refetch.schedule();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(1);
  answer.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(2);
});

it('runs a pending call when it is resumed, and drops it when it is stopped', async () => {
  let runs = 0;
  let may = false;
  const refetch = throttle({ everyMs: 200, run: async () => (runs += 1), mayRun: () => may });
  refetch.schedule();
  may = true;
  expect(runs).toBe(0);
  refetch.resume();
  refetch.resume();
  expect(runs).toBe(1);
  refetch.schedule();
  refetch.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(1);
});

it('runs immediately for the first item, then for all items that were added in the meantime', async () => {
  const taken: number[][] = [];
  const items: number[] = [];
  const burst = throttle({ everyMs: 100, run: () => taken.push(items.splice(0)) });
  const add = (item: number) => {
    items.push(item);
    burst.schedule();
  };
  for (const item of [1, 2, 3]) add(item);
  expect(taken).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(100);
  expect(taken).toEqual([[1], [2, 3]]);
  await vi.advanceTimersByTimeAsync(1000);
  add(4);
  expect(taken).toEqual([[1], [2, 3], [4]]);
});
