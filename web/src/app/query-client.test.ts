import { InfiniteQueryObserver, MutationObserver, QueryObserver, type QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { unreachableQueries } from '../data/unreachable.ts';
import { OfflineError, ProblemError } from '../data/problem.ts';
import { createQueryClient } from './query-client.ts';

const signedOut = new ProblemError({
  problem: { type: '', title: '', status: 401, detail: '', code: 'session.missing', request_id: '' },
});

let stop: (() => void)[] = [];
afterEach(() => {
  for (const end of stop) end();
  stop = [];
});

/** An observed query. `tries` has the results of its fetches; the last one is repeated. */
async function watch({ client, key, tries }: { client: QueryClient; key: string[]; tries: (string | Error)[] }) {
  let requests = 0;
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: async () => {
      const end = tries[Math.min(requests, tries.length - 1)];
      requests += 1;
      if (end instanceof Error) throw end;
      return end;
    },
  });
  stop.push(observer.subscribe(() => undefined));
  await settled(client);
  return { requests: () => requests, observer };
}

const settled = async (client: QueryClient) => {
  do await new Promise((resolve) => setTimeout(resolve, 1));
  while (client.isFetching() > 0 || client.isMutating() > 0);
};

test('a missing session in any query refetches the account', async () => {
  const client = createQueryClient();
  const account = await watch({ client, key: ['account'], tries: ['me', signedOut] });
  await watch({ client, key: ['devices'], tries: [signedOut] });
  await settled(client);
  expect(account.requests()).toBe(2);
  expect(account.observer.getCurrentResult()).toMatchObject({ data: 'me', error: signedOut });
});

test('a missing session in the account query does not refetch it in a loop', async () => {
  const client = createQueryClient();
  const account = await watch({ client, key: ['account'], tries: [signedOut] });
  expect(account.requests()).toBe(1);
});

test.each([
  { what: 'too many requests', status: 429, retryAfter: 0 },
  { what: 'a fault of the server', status: 500, retryAfter: 0 },
])('shown data that could not be read again is read later: $what', async ({ status, retryAfter }) => {
  const problem = { type: '', title: '', status, detail: '', code: 'other', request_id: '' };
  const refused = new ProblemError({ problem, retryAfter });
  const client = createQueryClient();
  const devices = await watch({ client, key: ['devices'], tries: ['old', refused, refused, 'new'] });
  void client.invalidateQueries({ queryKey: ['devices'] });
  await expect.poll(() => devices.observer.getCurrentResult().data).toBe('new');
  expect(devices.requests()).toBe(4);
});

test('the next page of a list, which could not be read, waits for the user', async () => {
  const problem = { type: '', title: '', status: 429, detail: '', code: 'other', request_id: '' };
  const client = createQueryClient();
  let requests = 0;
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['devices'],
    initialPageParam: 0,
    getNextPageParam: () => 1,
    async queryFn({ pageParam }) {
      requests += 1;
      if (pageParam === 1) throw new ProblemError({ problem, retryAfter: 0 });
      return 'page';
    },
  });
  stop.push(observer.subscribe(() => undefined));
  await settled(client);
  vi.useFakeTimers();
  await observer.fetchNextPage();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(requests).toBe(2);
});

test('what was never read, or cannot be read, waits for the user', async () => {
  const problem = { type: '', title: '', detail: '', code: 'other', request_id: '' };
  const refused = new ProblemError({ problem: { ...problem, status: 429 }, retryAfter: 0 });
  const gone = new ProblemError({ problem: { ...problem, status: 404 }, retryAfter: null });
  const client = createQueryClient();
  const first = await watch({ client, key: ['devices'], tries: [refused] });
  const second = await watch({ client, key: ['swarms'], tries: ['old', gone] });
  vi.useFakeTimers();
  await Promise.all([first.observer.refetch(), second.observer.refetch()]);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect([first.requests(), second.requests()]).toEqual([2, 2]);
});

test('an error of one page does not refetch the account', async () => {
  const client = createQueryClient();
  const account = await watch({ client, key: ['account'], tries: ['me'] });
  await watch({ client, key: ['device', '1'], tries: [new Error('fault of our own')] });
  expect(account.requests()).toBe(1);
});

test('queries keep their data while the server cannot be reached, and are listed as failing', async () => {
  const client = createQueryClient();
  const devices = await watch({ client, key: ['devices'], tries: ['rows', new OfflineError(), 'new rows'] });
  expect(unreachableQueries(client)).toHaveLength(0);
  await client.refetchQueries({ queryKey: ['devices'] });
  expect(unreachableQueries(client).map((query) => query.queryKey)).toEqual([['devices']]);
  expect(devices.observer.getCurrentResult().data).toBe('rows');
  await client.refetchQueries({ queryKey: ['devices'] });
  expect(unreachableQueries(client)).toHaveLength(0);
  expect(devices.observer.getCurrentResult().data).toBe('new rows');
});

test('a mutation refetches the account unless it ends the session', async () => {
  const client = createQueryClient();
  const account = await watch({ client, key: ['account'], tries: ['me'] });
  const run = async (meta?: Record<string, unknown>) => {
    await new MutationObserver(client, { mutationFn: async () => 'done', ...(meta && { meta }) }).mutate();
    await settled(client);
  };
  await run();
  expect(account.requests()).toBe(2);
  await run({ ends_session: true });
  expect(account.requests()).toBe(2);
});

test('after a write without an answer, what is shown is fetched again', async () => {
  const client = createQueryClient();
  const swarms = await watch({ client, key: ['swarms', 'list'], tries: ['before', 'after'] });
  const mutationFn = () => Promise.reject(new OfflineError('lost', { isUnknown: true }));
  await new MutationObserver(client, { mutationFn }).mutate().catch(() => undefined);
  // The rules for changes are loaded first.
  await expect.poll(() => swarms.observer.getCurrentResult().data).toBe('after');
});
