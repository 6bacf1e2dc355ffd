import { queryOptions, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Member, MemberPage, Message, MessagePage, MessageSend, MessageSent } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pollInterval } from '../../api/connection-status.ts';
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

/** The first consumers of a swarm, by name. */
export const consumersQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.consumers(swarm_id),
    queryFn: async ({ signal }) => {
      const path = `/api/swarms/${swarm_id}/members?resource_type=consumer,both&limit=1000`;
      return (await send<MemberPage>({ path, signal })).data.items;
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
    interval: pollInterval(5000),
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

type Names = Readonly<Record<string, string | null>>;

/** The names of the devices of these messages, by id; null for those that are no members any more. */
export function useDeviceNames(swarm_id: string, messages: readonly Message[]): Names {
  const client = useQueryClient();
  const queryKey = queryKeys.swarm.names(swarm_id);
  const known = () => client.getQueryData<Names>(queryKey) ?? {};
  const ids = new Set(messages.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])));
  const unknownIds = [...ids].filter((id) => !Object.hasOwn(known(), id)).slice(0, mostIds);
  const wanted = unknownIds.join(',');
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Names> => {
      const path = `/api/devices/by-id?audience=swarm:${swarm_id}&ids=${wanted}`;
      const found = (await send<Member[]>({ path, signal })).data;
      const none = Object.fromEntries(unknownIds.map((id) => [id, null]));
      return { ...known(), ...none, ...Object.fromEntries(found.map(({ id, name }) => [id, name])) };
    },
    enabled: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (wanted !== '' && !isFetching && !isError) void refetch();
  }, [wanted, isFetching, isError, refetch]);
  return data ?? {};
}
