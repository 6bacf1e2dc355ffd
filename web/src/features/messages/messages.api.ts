import { keepPreviousData, queryOptions, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { DevicePage, Message, MessagePage, MessageSend, MessageSent } from '@swarmdeck/bff/contract';
import { read } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { pollRarelyWhileLive } from '../../data/stream/poll-intervals.ts';
import { queryString } from '../../data/filter-params.ts';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { sendOnce, useChange, useSharedPending } from '../../data/use-change.ts';
import { t } from '../../text/text.ts';
import { searchParams, type MessageSearch } from './message-search.ts';

export function useSendMessage(resource_id: string) {
  const path = pathTo('/api/resources/:id/messages', { id: resource_id });
  const sent = useChange(
    // It has an id of its own.
    (body: MessageSend) => sendOnce<MessageSent>({ method: 'POST', path, body }),
    { type: 'messages.sent', data: { resource_id } },
    { mutationKey: [path], meta: { failure: () => t.messages.not_sent } },
  );
  return useSharedPending(sent, [path]);
}

/** The first consumers of a swarm whose names match, by name. */
export const consumersQuery = (swarm_id: string, q: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.consumers(swarm_id, q),
    queryFn: async ({ signal }) => {
      const query = queryString({ resource_type: 'consumer,both', q, limit: '100' });
      return await read('/api/swarms/:id/members', { id: swarm_id }, { query, signal });
    },
  });

export type LoadedMessages = InfiniteData<MessagePage, string>;

/** The newest messages of a swarm, of one device or of all (`from` is ''). The stream adds new ones (data/cache/cached-messages.ts). */
export const liveMessagesQuery = (swarm_id: string, from: string) =>
  pagedQuery({
    key: queryKeys.messages.list(swarm_id, filterOf(from)),
    path: (before) =>
      pathTo(
        '/api/swarms/:id/messages',
        { id: swarm_id },
        queryString({ resource_id: from || undefined, before, limit: '100' }),
      ),
    // The stream has the messages of five swarms, and other tabs may show more.
    interval: pollRarelyWhileLive(5000),
  });

const filterOf = (from: string) => (from === '' ? {} : { resource: from });

/** The messages that a search finds. Its pages may be empty: each looks at a part of all messages. New ones are not added. */
export const foundMessagesQuery = (swarm_id: string, search: MessageSearch) =>
  pagedQuery({
    key: queryKeys.messages.found(swarm_id, search),
    path: (before) =>
      pathTo(
        '/api/swarms/:id/messages',
        { id: swarm_id },
        queryString({ ...searchParams(search), before, limit: '100' }),
      ),
    interval: () => false,
  });

/** Queries the list as it was when it was paused. It only gets older rows. */
export function pausedMessagesQuery(swarm_id: string, from: string, at: LoadedMessages) {
  const newest = at.pages[0]?.items[0]?.id ?? '';
  return {
    ...liveMessagesQuery(swarm_id, from),
    queryKey: queryKeys.messages.paused(swarm_id, filterOf(from), newest),
    initialData: at,
    enabled: false,
    gcTime: 0,
  };
}

/** In one request. */
const mostIds = 100;
/** In ms. */
const retryInterval = 5000;

type Names = Readonly<Record<string, string | null>>;

interface ReadNames {
  /** By id; null for devices of other users that are no members any more. */
  names: Names;
  /** A message is shown when its names are known, or cannot be read. */
  isNamed(message: Pick<Message, 'from' | 'to'>): boolean;
}

async function readNames(ids: readonly string[], { audience, signal }: { audience: string; signal: AbortSignal }) {
  const parts = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, part) =>
    ids.slice(part * mostIds, (part + 1) * mostIds),
  );
  const found = await Promise.all(
    parts.map((part) =>
      read('/api/devices/by-id', {}, { query: `audience=${audience}&ids=${part.join(',')}`, signal }),
    ),
  );
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}

/** The names of the devices of these messages. */
export function useDeviceNames(swarm_id: string, messages: readonly Message[]): ReadNames {
  const client = useQueryClient();
  const ids = [...new Set(messages.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])))].toSorted();
  const { data: names = {}, isError } = useQuery({
    queryKey: queryKeys.swarm.namesOf(swarm_id, ids),
    async queryFn({ signal }): Promise<Names> {
      const cached = client.getQueryCache().findAll({
        queryKey: queryKeys.swarm.names(swarm_id),
        // After a change of the members or their names, all are read again.
        predicate: ({ state }) => !state.isInvalidated,
      });
      const known: Names = Object.assign({}, ...cached.map(({ state }) => state.data));
      const unknown = ids.filter((id) => !Object.hasOwn(known, id));
      const members = await readNames(unknown, { audience: `swarm:${swarm_id}`, signal });
      // The user's own devices that have left the swarm.
      const own = await readNames(
        unknown.filter((id) => !members.has(id)),
        { audience: 'own', signal },
      );
      return Object.fromEntries(ids.map((id) => [id, members.get(id) ?? own.get(id) ?? known[id] ?? null]));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.status === 'error' && retryInterval,
    // A busy list has new senders all the time. The next query only needs the names of the one before.
    gcTime: 10_000,
  });
  const isKnown = (id: string | undefined) => id === undefined || isError || Object.hasOwn(names, id);
  return { names, isNamed: ({ from, to }) => isKnown(from) && isKnown(to) };
}

/** More of them are on the home page. */
const mostOwn = 3;

/** The user's own devices that send to a swarm. */
export const ownSendersQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.ownSenders(swarm_id),
    async queryFn({ signal }) {
      const query = queryString({ swarm: swarm_id, limit: '20' });
      const { items } = await read('/api/devices', {}, { query, signal });
      const sends = ({ swarms }: DevicePage['items'][number]) =>
        swarms.some(({ id, resource_type }) => id === swarm_id && resource_type !== 'consumer');
      return items.filter(sends).slice(0, mostOwn);
    },
  });
