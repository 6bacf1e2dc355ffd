/** How many entries of the activity log are unread: the badge of every page. */
import { queryOptions } from '@tanstack/react-query';
import type { ActivityPage } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pollInterval } from '../../api/connection-status.ts';
import { queryKeys } from '../../api/query-keys.ts';

export const activityUnreadQuery = queryOptions({
  queryKey: queryKeys.activity.unread,
  queryFn: async ({ signal }) => (await send<ActivityPage>({ path: '/api/activity?limit=1', signal })).data.unread,
  refetchInterval: pollInterval(60_000),
});
