/** The loaded rows of one side of a box, with the newest rows merged into them. */
export function useBoxSide(query: BoxQuery) {
  const client = useQueryClient();
  const answers = useAnswers();
  const pages = useInfiniteQuery(invitationPagesQuery(query));
  const loaded = pages.data !== undefined && !pages.isPlaceholderData;
  const newest = useQuery({
    ...headQuery(query),
    enabled: loaded,
    // The first page has just been fetched.
    initialData: () => pages.data?.pages[0],
    initialDataUpdatedAt: pages.dataUpdatedAt,
  });
  const rows = useMemo(() => rowsOf(pages.data?.pages ?? []), [pages.data]);

  // Structural sharing keeps the same `items` until a row changes, but the time of each response is different.
  const head = newest.data;
  const [items, next, loadedPages] = [head?.items, head?.next, pages.data?.pages.length ?? 0];
  const merge = useEffectEvent(() => {
    if (!head || !loaded) return;
    const isPinned = (id: string) => answers.failureOf(id) !== undefined || answers.jobOf(id) !== undefined;
    const { queryKey } = invitationPagesQuery(query);
    patchQueries<InfiniteData<InvitationPage>>(client, queryKey, (data) => {
      const merged = mergeHead({ pages: data.pages, head, isPinned });
      return merged === data.pages ? data : { ...data, pages: merged };
    });
  });
  useEffect(() => {
    if (items && next !== undefined && loadedPages > 0) merge();
  }, [items, next, loadedPages]);

  const counted = head?.counts ?? pages.data?.pages[0]?.counts;
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = pages;
  return {
    rows,
    counts: counted,
    hasMore: hasNextPage,
    /** The number of matches: all loaded rows if there is no next page. */
    total: hasNextPage && counted ? Math.max(rows.length, totalOf(query, counted)) : rows.length,
    pending: pages.isPending,
    changing: pages.isPlaceholderData,
    error: pages.error,
    away: isUnreachable(pages.error ?? newest.error),
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
    },
    /** Loads all matching rows. Rejects if a request fails. */
    async loadAll() {
      let { data, hasNextPage: isMore } = pages;
      while (isMore) {
        const more = await fetchNextPage();
        if (more.isError) throw more.error;
        ({ data, hasNextPage: isMore } = more);
      }
      return rowsOf(data?.pages ?? []).all();
    },
    reload: () => void pages.refetch(),
  };
}

function totalOf({ side }: BoxQuery, counts: { new: number; accepted: number; rejected: number }): number {
  return side === 'new' ? counts.new : counts.accepted + counts.rejected;
}

export type BoxSide = ReturnType<typeof useBoxSide>;

/** Merges the newest page of a list into its loaded pages, without fetching the whole list again. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { InvitationPage, InvitationItem } from '@swarmdeck/bff/contract';
import { rowsOf, indexesOf } from '../../api/paged-rows.ts';
import { isUnreachable } from '../../api/problem.ts';
import { patchQueries } from '../../api/query-cache.ts';
import { useAnswers } from './answers.job.tsx';
import { headQuery, invitationPagesQuery } from './invitations.api.ts';
import type { BoxQuery } from '../../api/query-keys.ts';
import { byNewest, withoutItems } from '../../api/invitation-lists.ts';

/**
 * Returns the pages with `head`, the newest page, in them. A row that `head` should contain and does not is removed,
 * except if `isPinned`, because it shows why an answer failed. Rows that are older than `head` stay. Returns the same
 * array if nothing changes.
 */
export function mergeHead({
  pages,
  head,
  isPinned,
}: {
  pages: InvitationPage[];
  head: InvitationPage;
  isPinned: (id: string) => boolean;
}): InvitationPage[] {
  const inHead = indexesOf(head);
  const last = head.items.at(-1);
  const reaches = (item: InvitationItem) => head.next === null || (last !== undefined && byNewest(item, last) <= 0);
  const stays = (item: InvitationItem) => !inHead.has(item.id) && (!reaches(item) || isPinned(item.id));
  const [first, ...others] = pages.map((page) => withoutItems(page, (item) => !stays(item)));
  if (!first) return [head];
  const next = others.length === 0 && first.next === null ? head.next : first.next;
  const items = [...head.items, ...first.items].sort(byNewest);
  const top = pages[0]!;
  const isSame =
    next === top.next && items.length === top.items.length && items.every((item, at) => item === top.items[at]);
  if (isSame && others.every((page, at) => page === pages[at + 1])) return pages;
  return [{ ...head, items, next }, ...others];
}
