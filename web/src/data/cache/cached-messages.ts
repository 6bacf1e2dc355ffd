/** The live list of a swarm's messages in the query cache. It has only the newest ones, however many are sent. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Message, MessagePage } from '@swarmdeck/bff/contract';
import { patchQueries } from './query-cache.ts';
import { messageListIn } from './key-parts.ts';
import { queryKeys } from './query-keys.ts';

/** Rows of a live list: a few screens. Older ones are read in a paused list. */
export const liveRows = 500;

export interface NewMessages {
  swarm_id: string;
  /** Oldest first. */
  items: Message[];
  /** How many before them are left out. */
  skipped: number;
}

/** Adds new messages to the live lists of their swarm. Returns the queries that must be fetched again. */
export function addMessages(client: QueryClient, { swarm_id, items, skipped }: NewMessages): QueryKey[] {
  const queryKey = queryKeys.messages.of(swarm_id);
  patchQueries<InfiniteData<MessagePage>>(client, queryKey, (data, key) => {
    const [first] = data.pages;
    const { filter, isPaused } = messageListIn(key);
    if (!first || isPaused || skipped > 0) return data;
    const { resource } = filter;
    const known = new Set(first.items.map(({ id }) => id));
    const added = items.filter(({ id, from }) => !known.has(id) && (resource === undefined || from === resource));
    if (added.length === 0) return data;
    const all = [...added.toReversed(), ...first.items];
    const rows = all.slice(0, liveRows);
    return { ...data, pages: [{ items: rows, next: rows.length < all.length ? rows.at(-1)!.id : first.next }] };
  });
  // Some are missing, also if the stream was opened again. A response that is under way may be without the new ones.
  const isIncomplete = skipped > 0 || items.length === 0 || client.isFetching({ queryKey }) > 0;
  return isIncomplete ? [queryKey] : [];
}
