/** How many invitations need an answer, for the badge of every page. It comes with the app: keep it small. */
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { InboxCount } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pulse } from '../../api/liveness.ts';

export const inboxCountQuery = queryOptions({
  queryKey: ['invitations', 'count'],
  queryFn: async ({ signal }) => (await send<InboxCount>({ path: '/api/inbox/count', signal })).data,
  refetchInterval: pulse(20_000),
  refetchOnWindowFocus: 'always',
});

/** How many of them are answered here and wait with Undo: the badge does not count them any more. */
export const answeringCountQuery = queryOptions({
  queryKey: ['invitations', 'answering'],
  queryFn: () => 0,
  initialData: 0,
  staleTime: Infinity,
  gcTime: Infinity,
});

export function setAnsweringCount(client: QueryClient, count: number) {
  client.setQueryData(answeringCountQuery.queryKey, count);
}
