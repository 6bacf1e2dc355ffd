/** The lists of invitations. */
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { read } from '../../data/client.ts';
import { pollUnlessLive } from '../../data/stream/poll-intervals.ts';
import { indexesOf, rowsOf } from '../../data/cache/paged-rows.ts';
import { byNewest, withoutItems } from '../../data/cache/cached-invitations.ts';
import { patchQueries, withoutTime } from '../../data/cache/query-cache.ts';
import { queryKeys, type BoxQuery } from '../../data/cache/query-keys.ts';
import { t } from '../../text/text.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';

const refetchInterval = pollUnlessLive(20_000);
const firstPage = 100;
const largestPage = 1000;

export function invitationParams({ box, side, q, resource }: BoxQuery, more: Record<string, string>) {
  return new URLSearchParams({ box, state: side, ...(q && { q }), ...(resource && { resource }), ...more });
}

interface Page {
  cursor?: string;
  limit: number;
}

const readPage = (box: BoxQuery, { limit, ...cursor }: Page, signal: AbortSignal) =>
  read('/api/inbox', {}, { query: invitationParams(box, { ...cursor, limit: String(limit) }), signal });

/** One side of a box, page by page. It is not fetched again while it is shown: `headQuery` adds new rows. */
export function invitationPagesQuery(query: BoxQuery) {
  return infiniteQueryOptions({
    queryKey: queryKeys.invitations.list(query),
    queryFn: ({ pageParam, signal }) => readPage(query, pageParam, signal),
    initialPageParam: { limit: firstPage },
    // A user who has read many reads all of them.
    getNextPageParam: ({ next: cursor }, pages) =>
      cursor === null ? null : { cursor, limit: Math.min(largestPage, firstPage * 2 ** pages.length) },
    // Only for a search in the same list: otherwise the buttons would act on rows of another list.
    placeholderData: (rows, before) =>
      isSameSide(before?.queryKey.at(-1) as BoxQuery | undefined, query) ? rows : undefined,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
}

const isSameSide = (one: BoxQuery | undefined, other: BoxQuery) =>
  one?.box === other.box && one.side === other.side && one.resource === other.resource;

/** The newest rows of a list. */
function headQuery(query: BoxQuery) {
  return queryOptions({
    queryKey: queryKeys.invitations.head(query),
    queryFn: ({ signal }) => readPage(query, { limit: firstPage }, signal),
    refetchInterval,
    refetchOnWindowFocus: 'always',
  });
}

/** The sentence of a received invitation or request. */
export const receivedText = ({ is_request, joined_by, sent_by, is_later_end }: InvitationItem) =>
  is_request
    ? t.invitations.asks
    : joined_by
      ? t.invitations.joined.received
      : (is_later_end ? t.invitations.later_end : t.invitations)[sent_by ? 'invited' : 'invited_by_unknown'];
/** Who is named in it. Its `from` owns the swarm, which others may have owned when it was sent. */
export const senderOf = ({ is_request, from, sent_by }: InvitationItem) => (is_request ? from : (sent_by ?? ''));
/** The text of a sent invitation. */
export const sentText = ({ is_request, joined_by, is_later_end }: InvitationItem) =>
  is_request
    ? t.invitations.you_asked
    : joined_by
      ? t.invitations.joined.sent
      : (is_later_end ? t.invitations.later_end : t.invitations).you_invited;
/** How it ended. One that was open ends with its device too: the owner need not have rejected it. */
export const stateText = ({ joined_by, status, is_former_device }: InvitationItem) =>
  joined_by
    ? t.invitations.joined.state
    : status === 'rejected' && is_former_device
      ? t.invitations.not_accepted
      : t.invitations.done[status];

const noPages: InvitationPage[] = [];

/** The loaded rows of one side of a box, with the newest rows merged into them. */
export function useBoxSide(query: BoxQuery) {
  const client = useQueryClient();
  const pages = useInfiniteQuery(invitationPagesQuery(query));
  const loaded = pages.data !== undefined && !pages.isPlaceholderData;
  const newest = useQuery({
    ...headQuery(query),
    enabled: loaded,
    // The first page has just been fetched.
    initialData: () => (loaded ? pages.data.pages[0] : undefined),
    initialDataUpdatedAt: pages.dataUpdatedAt,
    select: withoutTime,
  });
  const rows = useMemo(() => rowsOf(pages.data?.pages ?? []), [pages.data]);

  // Structural sharing keeps the same `items` until a row changes.
  const [items, next, loadedPages] = [newest.data?.items, newest.data?.next, pages.data?.pages.length ?? 0];
  const merge = useEffectEvent(() => {
    const head = client.getQueryData(headQuery(query).queryKey);
    if (!head || !loaded) return;
    const { queryKey } = invitationPagesQuery(query);
    patchQueries<InfiniteData<InvitationPage>>(client, queryKey, (data) => {
      const merged = mergeHead({ pages: data.pages, head });
      return merged === data.pages ? data : { pages: merged, pageParams: data.pageParams.slice(0, merged.length) };
    });
  });
  useEffect(() => {
    if (items && next !== undefined && loadedPages > 0) merge();
  }, [items, next, loadedPages]);

  const counted = newest.data?.counts ?? pages.data?.pages[0]?.counts;
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = pages;
  const { refetch, ...loads } = useStableFunctions({
    refetch: () => void pages.refetch(),
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
    },
    /** Loads all matching rows. Rejects if a request fails, or when `signal` ends it: later pages may be those of another list. */
    async loadAll(signal?: AbortSignal) {
      let { data, hasNextPage: isMore } = pages;
      while (isMore) {
        const more = await fetchNextPage();
        signal?.throwIfAborted();
        if (more.isError) throw more.error;
        ({ data, hasNextPage: isMore } = more);
      }
      return rowsOf(data?.pages ?? []).all();
    },
  });
  return {
    query,
    pages: pages.data?.pages ?? noPages,
    rows,
    counts: counted,
    hasMore: hasNextPage,
    /** The number of matches: all loaded rows if there is no next page. */
    total: hasNextPage && counted ? Math.max(rows.length, totalOf(query, counted)) : rows.length,
    status: {
      isPending: pages.isPending,
      /** The rows of another search are still shown while these are fetched. */
      isChanging: pages.isPlaceholderData,
      error: pages.error,
      /** For the error of a page after the loaded ones. */
      failedPage: pages.isFetchNextPageError ? pages : null,
      refetch,
    },
    ...loads,
  };
}

/**
 * Whether newer rows of a loaded side are being read, or are not in `rows` yet. Each read renders the component that asks, so it is
 * a small one, and only there while a list opens.
 */
export function useIsBehind({ query, rows }: Pick<BoxSide, 'query' | 'rows'>): boolean {
  const { data, isFetching } = useQuery(headQuery(query));
  const newest = data?.items[0];
  return isFetching || (newest !== undefined && !rows.get(newest.id));
}

function totalOf({ side }: BoxQuery, counts: { new: number; accepted: number; rejected: number }): number {
  return side === 'new' ? counts.new : counts.accepted + counts.rejected;
}

export type BoxSide = ReturnType<typeof useBoxSide>;

/**
 * Returns the pages with `head`, the newest page, in them. A row that `head` should contain and does not is removed. Rows that are
 * older than `head` stay if they continue it: behind a gap, rows would be neither loaded nor said to be missing. Returns the same
 * array if nothing changes.
 */
export function mergeHead({ pages, head }: { pages: InvitationPage[]; head: InvitationPage }): InvitationPage[] {
  const merged = withOlder(head, pages) ?? [head];
  return merged.length === pages.length && merged.every((page, at) => isSamePage(page, pages[at]!)) ? pages : merged;
}

/** `head` and the loaded rows behind it, or undefined if there are none, or if others may be between. */
function withOlder(head: InvitationPage, pages: readonly InvitationPage[]): InvitationPage[] | undefined {
  const newest = pages[0]?.items[0];
  const last = head.items.at(-1);
  if (head.next === null || !newest || !last || byNewest(newest, last) > 0) return undefined;
  const inHead = indexesOf(head);
  const isInRange = (item: InvitationItem) => inHead.has(item.id) || byNewest(item, last) <= 0;
  const [first, ...others] = pages.map((page) => withoutItems(page, isInRange));
  if (!first || [first, ...others].every(({ items }) => items.length === 0)) return undefined;
  return [{ ...first, items: [...head.items, ...first.items].sort(byNewest) }, ...others];
}

const isSamePage = (one: InvitationPage, other: InvitationPage) =>
  one.next === other.next &&
  one.items.length === other.items.length &&
  one.items.every((item, at) => item === other.items[at]);
