/** The swarms to invite to, and memberships, for all features. */
import { queryOptions } from '@tanstack/react-query';
import type { SwarmList } from '@swarmdeck/bff/contract';
import { send } from './client.ts';
import { queryKeys } from './query-keys.ts';

/** The swarms that the user owns: where they may add their own devices. */
export const ownedSwarmsQuery = queryOptions({
  queryKey: queryKeys.swarms.owned,
  queryFn: async ({ signal }) =>
    (await send<SwarmList>({ path: '/api/swarm-list?relation=owner&limit=200', signal })).data.items,
});

export interface Membership {
  swarm_id: string;
  resource_id: string;
}

/** For `usePending`: the pages of the device and of the swarm show the same action. */
export const membershipTarget = ({ swarm_id, resource_id }: Membership) => `membership:${swarm_id}:${resource_id}`;
