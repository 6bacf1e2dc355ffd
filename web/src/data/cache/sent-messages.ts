import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { Message, Resource, Swarm } from '@swarmdeck/bff/contract';
import type { NewMessages } from './cached-messages.ts';
import { read } from '../client.ts';
import { patchQueries } from './query-cache.ts';
import { idIn } from './key-parts.ts';
import { queryKeys } from './query-keys.ts';

/** As many as the box of messages can show. */
export const mostSent = 100;
/** The stream has the messages of so many swarms. */
const mostWatched = 5;

/** The swarms of an own device whose messages its owner may read: those of the owner, and those in which it receives. */
export function readableSwarms({ id, user_id }: Pick<Resource, 'id' | 'user_id'>, swarms: readonly Swarm[]): Swarm[] {
  const receives = ({ resources }: Swarm) =>
    resources.some(({ resource_id, resource_type }) => resource_id === id && resource_type !== 'producer');
  return swarms.filter((swarm) => swarm.user_id === user_id || receives(swarm)).slice(0, mostWatched);
}

/** Adds what the stream has of an own device. Returns the queries that must be fetched again. */
export function addSent(client: QueryClient, { items, skipped }: Pick<NewMessages, 'items' | 'skipped'>): QueryKey[] {
  const shown = client
    .getQueryCache()
    .findAll({ queryKey: queryKeys.device.everyOne })
    .map(({ queryKey }) => queryKey);
  const lists = shown.filter((key) => idIn(key, queryKeys.device.sent) !== undefined);
  // Some are missing, also if the stream was opened again.
  if (skipped > 0 || items.length === 0) return lists;
  for (const key of lists) {
    const device = idIn(key, queryKeys.device.sent);
    patchQueries<Message[]>(client, key, (sent) => {
      const known = new Set(sent.map(({ id }) => id));
      const added = items.filter(({ id, from }) => from === device && !known.has(id));
      return added.length === 0 ? sent : [...added.toReversed(), ...sent].slice(0, mostSent);
    });
  }
  return [];
}

/**
 * What the user's own device has sent, newest first; a message to several swarms once for each. `interval`: in ms; false if the
 * stream has all of it.
 */
export const sentQuery = (resource_id: string, interval: () => number | false) =>
  queryOptions({
    queryKey: queryKeys.device.sent(resource_id),
    queryFn: ({ signal }) =>
      read('/api/resources/:id/messages/sent', { id: resource_id }, { query: `limit=${mostSent}`, signal }),
    refetchInterval: interval,
  });
