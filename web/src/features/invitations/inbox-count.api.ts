/** How many invitations need an answer: the badge of every page. */
import { queryOptions } from '@tanstack/react-query';
import type { InboxCount } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pollInterval } from '../../api/connection-status.ts';
import { queryKeys } from '../../api/query-keys.ts';

export const inboxCountQuery = queryOptions({
  queryKey: queryKeys.invitations.count,
  queryFn: async ({ signal }) => (await send<InboxCount>({ path: '/api/inbox/count', signal })).data,
  refetchInterval: pollInterval(20_000),
  refetchOnWindowFocus: 'always',
});
