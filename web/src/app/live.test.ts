import { QueryClient, QueryObserver, type QueryKey } from '@tanstack/react-query';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, beforeEach, vi } from 'vitest';
import { useConnectionStatus } from '../data/stream/connection-status.ts';
import { lastMove } from '../data/stream/map-moves.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { outbox } from '../data/outbox/outbox.ts';
import { endInBrowser, startLive } from './live.ts';
import { throttle } from './live-refetches.ts';
import { topicsShown, urlOf } from './live-topics.ts';

const device = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';

it('contains the visible queries with valid names', () => {
  const client = new QueryClient();
  const keys = [
    ['devices', 'pages', ''],
    ['map', { audience: `swarm:${device}` }],
    ['map', { audience: 'swarm:nonsense' }],
    ['device', device],
    ['device', device, 'swarms'],
    ['device', 'nonsense'],
  ];
  client.setQueryData(['map', { audience: 'visible' }], 'nobody looks at it');
  const ends = keys.map((queryKey) => new QueryObserver(client, { queryKey, queryFn: () => 0 }).subscribe(() => {}));
  expect(topicsShown(client)).toEqual({ audiences: ['own', `swarm:${device}`], resources: [device] });
  for (const end of ends) end();
  expect(topicsShown(client)).toEqual({ audiences: [], resources: [] });
  client.clear();
});

it('watches the swarms in which a shown device sends, if its owner may read them', () => {
  const client = new QueryClient();
  const [device, own, other] = ['d', 'a', 'b'].map((digit) => digit.repeat(8) + '-0000-4000-8000-000000000000') as [
    string,
    string,
    string,
  ];
  const resources = [{ resource_id: device, resource_type: 'producer' }];
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  client.setQueryData(queryKeys.device.swarms(device), [
    { id: own, user_id: 'ann', resources },
    { id: other, user_id: 'ben', resources },
  ]);
  const end = new QueryObserver(client, { queryKey: queryKeys.device.sent(device), queryFn: () => [] }).subscribe(
    () => {},
  );
  expect(topicsShown(client)).toEqual({ audiences: [`messages:${own}`], resources: [device] });
  end();
  client.clear();
});

it('deletes what waits to be sent only if its user signs out', async () => {
  const clear = vi.spyOn(outbox, 'clear').mockResolvedValue();
  await endInBrowser({ user_id: 'ann', end: 'by_another' });
  expect(clear).not.toHaveBeenCalled();
  await endInBrowser({ user_id: 'ann', end: 'by_user' });
  expect(clear).toHaveBeenCalledExactlyOnceWith('ann');
  clear.mockRestore();
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

/** Starts the live updates with a stream that the test writes. */
async function startWithStream(client: QueryClient) {
  let stream = new EventTarget();
  vi.stubGlobal('EventSource', function Stream() {
    return (stream = Object.assign(new EventTarget(), { close() {} }));
  });
  const request = async (_name: string, _options: LockOptions, hold: () => Promise<void>) => hold();
  vi.stubGlobal('navigator', { locks: { request } });
  const stop = startLive({ client, user_id: 'ann' });
  await vi.advanceTimersByTimeAsync(1000);
  return {
    receive(type: string, data: object, id = 'p-1') {
      const event = { id, type, at: '2026-01-02T03:04:05.678Z', data };
      stream.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }));
    },
    fire: (type: 'open' | 'error') => stream.dispatchEvent(new Event(type)),
    stop() {
      stop();
      client.clear();
    },
  };
}

it('notes when a map has changed, but not when a stream resumes', async () => {
  const { receive, stop } = await startWithStream(new QueryClient());
  receive('map.changed', { audience: 'visible', version: 'p-1', resumed: true });
  expect(lastMove('visible')).toBeUndefined();
  receive('map.changed', { audience: 'visible', version: 'p-2' });
  expect(lastMove('visible')).toBe(Date.parse('2026-01-02T03:04:05.678Z'));
  stop();
});

it('fetches a long list again as rarely as it has pages, and the other data at once', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const list = (pages: number) => ({ pages: Array.from({ length: pages }, () => ({ items: [] })), pageParams: [] });
  const reads = { long: 0, short: 0 };
  const read = (name: keyof typeof reads, queryKey: QueryKey, pages: number) => {
    client.setQueryData(queryKey, list(pages));
    const queryFn = () => {
      reads[name] += 1;
      return list(pages);
    };
    return new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  };
  const ends = [
    read('long', queryKeys.swarm.memberList('s1', {}), 8),
    read('short', queryKeys.swarm.overview('s1'), 1),
  ];
  const { receive, stop } = await startWithStream(client);
  reads.long = reads.short = 0;
  for (let second = 0; second < 8; second += 1) {
    receive('membership.changed', { swarm_id: 's1', resource_id: 'r1' });
    await vi.advanceTimersByTimeAsync(1100);
  }
  expect(reads.short).toBeGreaterThanOrEqual(6);
  expect(reads.long).toBeLessThanOrEqual(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads.long).toBe(2);
  for (const end of ends) end();
  stop();
});

it('reads everything again when the server was restored, also the lists whose rows keep their places', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  let reads = 0;
  const queryKey = queryKeys.devices.list('', null);
  client.setQueryData(queryKey, { pages: [], pageParams: [] });
  const queryFn = () => {
    reads += 1;
    return { pages: [], pageParams: [] };
  };
  const end = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  const { receive, stop } = await startWithStream(client);
  for (const [id, expected] of [
    ['p-1', 0],
    // The stream has missed events: rows keep their places.
    ['p-9', 0],
    ['r0123456789ab-3', 1],
    ['r0123456789ab-4', 1],
  ] as const) {
    receive('reset', {}, id);
    await vi.advanceTimersByTimeAsync(5000);
    expect(reads).toBe(expected);
  }
  end();
  stop();
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

it('runs again after a run that has thrown, and reports its error', async () => {
  const reported = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', reported);
  let runs = 0;
  const burst = throttle({
    everyMs: 100,
    run() {
      runs += 1;
      if (runs === 1) throw new Error('no rows');
    },
  });
  burst.schedule();
  await vi.advanceTimersByTimeAsync(200);
  burst.schedule();
  await vi.advanceTimersByTimeAsync(0);
  expect([runs, reported.mock.calls]).toEqual([2, [[new Error('no rows')]]]);
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

it('counts an interruption that ends at the first attempt to connect', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let counted = -1;
  const Page = () => ((counted = useConnectionStatus().interruptions), null);
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(createElement(Page)));
  const { fire, stop } = await startWithStream(new QueryClient());
  await act(async () => fire('open'));
  const before = counted;
  fire('error');
  await vi.advanceTimersByTimeAsync(500);
  await act(async () => fire('open'));
  expect(counted - before).toBe(1);
  await act(async () => root.unmount());
  stop();
});
