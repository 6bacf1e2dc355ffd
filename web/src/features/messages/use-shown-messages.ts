import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { useUrlState } from '../../ui/urls/url-state.ts';
import { isSearch, searchUrl } from './message-search.ts';
import { foundMessagesQuery, liveMessagesQuery, pausedMessagesQuery, type LoadedMessages } from './messages.api.ts';
import { useWholeSearch } from './use-whole-search.ts';

/** The messages of a swarm that the URL asks for: live until the list is paused, or found by a search. */
export function useShownMessages(swarm_id: string) {
  const client = useQueryClient();
  const [search] = useUrlState(searchUrl);
  const { from } = search;
  const isFound = isSearch(search);
  const [paused, setPaused] = useState<{ from: string; at: LoadedMessages } | null>(null);
  // A link to this tab also ends the filter, and then shows the live list.
  const pausedAt = paused?.from === from ? paused.at : null;
  const live = liveMessagesQuery(swarm_id, from);
  // It goes on behind a paused list, also during a search, so that the user sees how much there is to read.
  const liveData = useInfiniteQuery({ ...live, enabled: !isFound || pausedAt !== null }).data;
  const pausedQuery = pausedAt && pausedMessagesQuery(swarm_id, from, pausedAt);
  const { query, rows } = usePagedQuery(isFound ? foundMessagesQuery(swarm_id, search) : (pausedQuery ?? live));
  const pause = () => {
    const at = client.getQueryData<LoadedMessages>(live.queryKey);
    if (at) setPaused({ from, at });
  };
  return {
    isPaused: pausedAt !== null,
    kind: isFound ? ('found' as const) : pausedAt ? ('paused' as const) : ('live' as const),
    query,
    rows,
    /** The rest of a search is being read. */
    isSearching: useWholeSearch(query, isFound),
    /** How many messages have arrived since the list was paused. */
    arrived: newerThan(liveData, pausedAt),
    /** Reads older rows. The live list is paused by that, so that it does not move. */
    older: isFound || pausedAt ? query : { ...query, isFetchNextPageError: false, fetchNextPage: pause },
    pause,
    resume: () => setPaused(null),
  };
}

/** How many messages the live list has that the paused one has not. It has only the newest ones. */
function newerThan(live: Pick<LoadedMessages, 'pages'> | undefined, paused: LoadedMessages | null): number {
  if (!live || !paused) return 0;
  const rows = live.pages.flatMap(({ items }) => items);
  const newest = paused.pages[0]?.items[0]?.id;
  const at = rows.findIndex(({ id }) => id === newest);
  return at < 0 ? rows.length : at;
}
