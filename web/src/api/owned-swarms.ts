import { queryOptions } from '@tanstack/react-query';
import type { SwarmList } from '@swarmdeck/bff/contract';
import { send } from './client.ts';
import { queryKeys } from './query-keys.ts';

/** The swarms that the user owns: where they may invite to, and add their own devices. */
export const ownedSwarmsQuery = queryOptions({
  queryKey: queryKeys.swarms.owned,
  queryFn: async ({ signal }) =>
    (await send<SwarmList>({ path: '/api/swarm-list?relation=owner&limit=200', signal })).data.items,
});
