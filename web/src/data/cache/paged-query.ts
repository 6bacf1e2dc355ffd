/** The cache of all long lists except those whose rows keep their place: the list of devices and the inbox. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { send } from '../client.ts';
import type { Path } from '../path-to.ts';
import { pollUnlessLive } from '../stream/poll-intervals.ts';
import { withoutTime } from './query-cache.ts';

/** Longer lists are not fetched again automatically, because that would fetch every loaded page. */
const fewPages = 3;

/** The number of pages of a list that are loaded. */
export const pagesOf = ({ state }: { state: { data?: unknown } }): number =>
  (state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0;

/** Whether so many pages are loaded that fetching them again takes many requests. */
export const isLong = (query: { state: { data?: unknown } }): boolean => pagesOf(query) > fewPages;

interface PagedQueryOptions<Answer> {
  key: QueryKey;
  /** The cursor of the first page is empty. */
  path(cursor: string): Path<Answer>;
  /** Poll interval of a visible page in ms; by default only while the stream is not live. */
  interval?(): number | false;
}

/** A list that is read page by page. */
export function pagedQuery<Answer extends { next: string | number | null }>({
  key,
  path,
  interval = pollUnlessLive(20_000),
}: PagedQueryOptions<Answer>) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) => withoutTime((await send({ path: path(pageParam), signal })).data),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null ? null : String(next)),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => !isLong(query) && interval(),
    refetchOnWindowFocus: (query) => !isLong(query) && 'always',
  });
}

/** The rows of all loaded pages, and the totals of the first page. */
export function usePagedQuery<Page extends { items: { id: string | number }[] }>(
  options: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, QueryKey, string>,
) {
  const query = useInfiniteQuery(options);
  const { data } = query;
  const rows = useMemo(() => {
    // A row that moved between two pages while they were fetched is in both.
    const byId = new Map<string | number, Page['items'][number]>();
    for (const row of data?.pages.flatMap(({ items }) => items) ?? []) byId.set(row.id, row);
    return [...byId.values()];
  }, [data]);
  return { query, rows, first: data?.pages[0] };
}
