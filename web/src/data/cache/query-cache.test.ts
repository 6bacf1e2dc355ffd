import { InfiniteQueryObserver, QueryClient, QueryObserver, type InfiniteData } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginsWith } from './key-parts.ts';
import { distinct, patchQueries, refetchOutdated } from './query-cache.ts';

let client: QueryClient;
let stops: (() => void)[];
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  client.clear();
});

/** A query on the screen that reads a number of the server. The test decides when the server answers. */
function watch() {
  const requests: { answer: () => void; fail: () => void }[] = [];
  let truth = 1;
  const observer = new QueryObserver(client, {
    queryKey: ['count'],
    queryFn: ({ signal }) => {
      const read = truth;
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      requests.push({ answer: () => resolve(read), fail: () => reject(new Error('no answer')) });
      return promise;
    },
  });
  stops.push(observer.subscribe(() => undefined));
  const change = () => {
    truth -= 1;
    return refetchOutdated(client, { refetch: [['count']] });
  };
  return { requests, change, shown: () => observer.getCurrentResult() };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

test('a key begins with another one only if their parts are the same, and so are all fields of objects', () => {
  expect(beginsWith(['swarm', 's', 'members'], ['swarm', 's'])).toBe(true);
  expect(beginsWith(['swarm', 's'], ['swarm', 's', 'members'])).toBe(false);
  expect(beginsWith(['swarm', 's'], ['swarm', 't'])).toBe(false);
  const boxOf = (query: object) => ['invitations', 'pages', query];
  expect(beginsWith(boxOf({ q: '', box: 'sent', swarm: undefined }), boxOf({ box: 'sent', q: '' }))).toBe(true);
  expect(beginsWith(boxOf({ q: '', resource: 'd' }), boxOf({ q: '' }))).toBe(false);
});

test('a first response that may be older than the change is shown and fetched again', async () => {
  const { requests, change, shown } = watch();
  const changes = [change(), change()];
  expect(requests).toHaveLength(1);
  requests[0]!.answer();
  await turn();
  expect(shown().data).toBe(1);
  expect(requests).toHaveLength(2);
  requests[1]!.answer();
  await Promise.all(changes);
  expect(shown().data).toBe(-1);
  expect(requests).toHaveLength(2);
});

test('a later response that may be older than the change is discarded', async () => {
  const { requests, change, shown } = watch();
  requests[0]!.answer();
  await turn();
  const changes = [change(), change()];
  requests[1]!.answer();
  requests[2]!.answer();
  await Promise.all(changes);
  expect(shown().data).toBe(-1);
  expect(requests).toHaveLength(3);
});

test('a first fetch that fails is not repeated', async () => {
  const { requests, change, shown } = watch();
  const changes = change();
  requests[0]!.fail();
  await changes;
  expect(shown().error).toBeInstanceOf(Error);
  expect(requests).toHaveLength(1);
});

test('many keys with a common prefix become one key', () => {
  const many = Array.from({ length: 1000 }, (_, number) => ['device', `r${number}`, 'swarms']);
  expect(distinct([...many, ['devices', 'latest'], ['devices', 'latest']])).toEqual([
    ['device'],
    ['devices', 'latest'],
  ]);
  expect(distinct([['a'], ['a'], ['b']])).toEqual([['a'], ['b']]);
});

test('a patched query keeps its age and its invalidated flag', () => {
  client.setQueryData(['list'], ['a', 'b'], { updatedAt: 5 });
  patchQueries<string[]>(client, ['list'], ([first = '']) => [first]);
  expect(client.getQueryState(['list'])).toMatchObject({ data: ['a'], isInvalidated: false, dataUpdatedAt: 5 });
  void client.invalidateQueries({ queryKey: ['list'] });
  patchQueries<string[]>(client, ['list'], () => []);
  expect(client.getQueryState(['list'])).toMatchObject({ data: [], isInvalidated: true, dataUpdatedAt: 5 });
});

test('a patched query keeps its error', async () => {
  const { requests, change, shown } = watch();
  requests[0]!.answer();
  await turn();
  const changed = change();
  requests[1]!.fail();
  await changed;
  patchQueries<number>(client, ['count'], (count) => count + 4);
  await turn();
  expect(shown()).toMatchObject({ data: 5, status: 'error', error: new Error('no answer') });
});

test('patches of a list that is loading its next page are not lost', async () => {
  const next = Promise.withResolvers<void>();
  type Numbers = { items: number[] };
  const observer = new InfiniteQueryObserver<Numbers, Error, InfiniteData<Numbers>, string[], number>(client, {
    queryKey: ['numbers'],
    queryFn: async ({ pageParam }) => {
      if (pageParam > 0) await next.promise;
      return { items: [pageParam, pageParam + 1] };
    },
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => pages.length * 2,
    structuralSharing: false,
  });
  stops.push(observer.subscribe(() => undefined));
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toHaveLength(1));
  const reading = observer.fetchNextPage();
  for (const removed of [1, 0]) {
    patchQueries<InfiniteData<Numbers>>(client, ['numbers'], (data) => ({
      ...data,
      pages: data.pages.map(({ items }) => ({ items: items.filter((at) => at !== removed) })),
    }));
  }
  next.resolve();
  await reading;
  expect(observer.getCurrentResult().data?.pages.map(({ items }) => items)).toEqual([[], [2, 3]]);
  await client.refetchQueries({ queryKey: ['numbers'] });
  expect(observer.getCurrentResult().data?.pages.map(({ items }) => items)).toEqual([
    [0, 1],
    [2, 3],
  ]);
});
