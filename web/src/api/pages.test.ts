import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { placesIn, rowsOf, withNextPage } from './pages.ts';

const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) });
const idsAt = (rows: ReturnType<typeof rowsOf>) => Array.from({ length: rows.length }, (_, row) => rows.at(row)?.id);

test('rows are in the order of the pages, also where a page has lost a row or all', () => {
  const rows = rowsOf([page('a', 'b'), page(), page('c'), page('d', 'e')]);
  expect(idsAt(rows)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(rows.all().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(idsAt(rowsOf([]))).toEqual([]);
});

test('a row is found by its id, with its place', () => {
  const rows = rowsOf([page('a', 'b'), page('c')]);
  expect([rows.indexOf('c'), rows.get('c')?.id]).toEqual([2, 'c']);
  expect([rows.indexOf('x'), rows.get('x')]).toEqual([-1, undefined]);
});

test('rows end where they end', () => {
  const rows = rowsOf([page('a', 'b')]);
  expect([rows.at(2), rows.at(-1)]).toEqual([undefined, undefined]);
});

test('where items stand in a page is found out once', () => {
  const one = page('a', 'b');
  expect([...placesIn(one)]).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  expect(placesIn(one)).toBe(placesIn(one));
});

test('what became of a page while the next one was read stays so', async () => {
  const client = new QueryClient();
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
    structuralSharing: (before, read) => withNextPage(before as InfiniteData<Numbers>, read as InfiniteData<Numbers>),
  });
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toHaveLength(1));
  const reading = observer.fetchNextPage();
  for (const gone of [1, 0]) {
    client.setQueryData<InfiniteData<Numbers>>(
      ['numbers'],
      (data) =>
        data && { ...data, pages: data.pages.map(({ items }) => ({ items: items.filter((at) => at !== gone) })) },
    );
  }
  next.resolve();
  await reading;
  expect(observer.getCurrentResult().data?.pages.map(({ items }) => items)).toEqual([[], [2, 3]]);
  await client.refetchQueries({ queryKey: ['numbers'] });
  expect(observer.getCurrentResult().data?.pages.map(({ items }) => items)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  stop();
  client.clear();
});
