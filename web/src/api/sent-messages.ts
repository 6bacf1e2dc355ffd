import { queryOptions } from '@tanstack/react-query';
import type { Message } from '@swarmdeck/bff/contract';
import { send } from './client.ts';
import { queryKeys } from './query-keys.ts';

/** As many numbers as a sparkline shows. */
const newest = 100;

/**
 * What the user's own device has sent, newest first; a message to several swarms once for each. It has no events, because
 * the stream has the messages of a swarm only for those who may read all of them. `every`: in ms.
 */
export const sentQuery = (resource_id: string, every: number) =>
  queryOptions({
    queryKey: queryKeys.resource.sent(resource_id),
    queryFn: async ({ signal }) =>
      (await send<Message[]>({ path: `/api/resources/${resource_id}/messages/sent?limit=${newest}`, signal })).data,
    refetchInterval: every,
  });
