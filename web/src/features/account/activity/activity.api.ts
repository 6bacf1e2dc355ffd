/** The activity log: what happened to the user's devices, swarms and account. */
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActivityPage, ActivityTopic } from '@swarmdeck/bff/contract';
import { send } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';

export interface ActivityFilter {
  resource_id?: string;
  swarm_id?: string;
  topic?: ActivityTopic;
}

async function readPage(query: Record<string, string>, signal: AbortSignal): Promise<ActivityPage> {
  const path = `/api/activity?${new URLSearchParams(query).toString()}`;
  return (await send<ActivityPage>({ path, signal })).data;
}

export function activityQuery(filter: ActivityFilter, limit: number) {
  return infiniteQueryOptions({
    queryKey: queryKeys.activity.list(filter, limit),
    queryFn: ({ pageParam, signal }) =>
      readPage({ ...filter, limit: String(limit), ...(pageParam !== null && { before: String(pageParam) }) }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
}

/** The newest entries, for the box on a page. */
export const newestActivityQuery = (filter: ActivityFilter = {}) => activityQuery(filter, 5);

/** Marks an entry and all older ones as read. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => send({ method: 'PUT', path: '/api/activity/read', body: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.activity.unread }),
  });
}
