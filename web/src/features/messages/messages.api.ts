import { keepPreviousData, queryOptions, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { Member, MemberPage, Message, MessagePage, MessageSend, MessageSent } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pollIntervalAlways } from '../../api/connection-status.ts';
import { queryString } from '../../api/filter-params.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useChange } from '../../api/use-change.ts';

export const useSendMessage = (resource_id: string) =>
  useChange(
    async (body: MessageSend) =>
      (await send<MessageSent>({ method: 'POST', path: `/api/resources/${resource_id}/messages`, body })).data,
    { type: 'messages.sent', data: { resource_id } },
  );

/** The first consumers of a swarm whose names match, by name. */
export const consumersQuery = (swarm_id: string, q: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.consumers(swarm_id, q),
    queryFn: async ({ signal }) => {
      const query = queryString({ resource_type: 'consumer,both', q, limit: '100' });
      return (await send<MemberPage>({ path: `/api/swarms/${swarm_id}/members?${query}`, signal })).data;
    },
  });

export type LoadedMessages = InfiniteData<MessagePage, string>;

export interface MessageFilter {
  /** Only the messages of this device. */
  resource?: string;
}

/** The newest messages of a swarm. The stream adds new ones (api/cached-messages.ts). */
export const liveMessagesQuery = (swarm_id: string, filter: MessageFilter) =>
  pagedQuery<MessagePage>({
    key: queryKeys.messages.list(swarm_id, filter),
    path: (before) =>
      `/api/swarms/${swarm_id}/messages?${queryString({ resource_id: filter.resource, before, limit: '100' })}`,
    // The stream has the messages of five swarms, and other tabs may show more.
    interval: pollIntervalAlways(5000),
  });

/** The same list as it was when it was paused. It only gets older rows. */
export function pausedMessagesQuery(swarm_id: string, filter: MessageFilter, at: LoadedMessages) {
  const newest = at.pages[0]?.items[0]?.id ?? '';
  return {
    ...liveMessagesQuery(swarm_id, filter),
    queryKey: queryKeys.messages.paused(swarm_id, filter, newest),
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

/** The names of the devices of these messages, by id; null for those that are no members any more. */
export function useDeviceNames(swarm_id: string, messages: readonly Message[]): Names {
  const client = useQueryClient();
  const ids = [...new Set(messages.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])))].toSorted();
  const { data } = useQuery({
    queryKey: queryKeys.swarm.namesOf(swarm_id, ids),
    async queryFn({ signal }): Promise<Names> {
      const cached = client.getQueryCache().findAll({
        queryKey: queryKeys.swarm.names(swarm_id),
        // After a change of the members or their names, all are read again.
        predicate: ({ state }) => !state.isInvalidated,
      });
      const known: Names = Object.assign({}, ...cached.map(({ state }) => state.data));
      const unknown = ids.filter((id) => !Object.hasOwn(known, id));
      const parts = Array.from({ length: Math.ceil(unknown.length / mostIds) }, (_, part) =>
        unknown.slice(part * mostIds, (part + 1) * mostIds),
      );
      const found = await Promise.all(
        parts.map(async (part) => {
          const path = `/api/devices/by-id?audience=swarm:${swarm_id}&ids=${part.join(',')}`;
          return (await send<Member[]>({ path, signal })).data;
        }),
      );
      const read = new Map(found.flat().map(({ id, name }) => [id, name]));
      return Object.fromEntries(ids.map((id) => [id, read.get(id) ?? known[id] ?? null]));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.status === 'error' && retryInterval,
    // A busy list has new senders all the time. The next query only needs the names of the one before.
    gcTime: 10_000,
  });
  return data ?? {};
}
