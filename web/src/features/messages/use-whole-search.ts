import { useEffect, useEffectEvent } from 'react';
import type { MessagePage } from '@swarmdeck/bff/contract';
import type { NextPageQuery } from '../../ui/buttons/more-button.tsx';

interface FoundPages extends NextPageQuery {
  data: { pages: readonly MessagePage[] } | undefined;
  isError: boolean;
}

/** A page that found nothing is followed by the next one: each looks at a part of all messages. Returns whether one is read. */
export function useWholeSearch(query: FoundPages, isWanted: boolean): boolean {
  const { data, isError, hasNextPage, isFetchingNextPage } = query;
  const wantsNext = isWanted && !isError && hasNextPage && data?.pages.at(-1)?.items.length === 0;
  /** The number of pages that are followed by another one. */
  const read = wantsNext ? data.pages.length : 0;
  const readNext = useEffectEvent(() => void query.fetchNextPage());
  useEffect(() => {
    if (read > 0 && !isFetchingNextPage) readNext();
  }, [read, isFetchingNextPage]);
  return wantsNext;
}
