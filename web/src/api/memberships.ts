/** Invite links, the swarms to invite to, and the end of a membership, for all features. */
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { SwarmList } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from './changes.ts';
import { remove, send } from './client.ts';
import { queryKeys } from './query-keys.ts';

/** The link that a device's owner gives to the owner of a swarm. It opens Invite with the form filled in. */
export function inviteLink({ origin, to, resource_id }: { origin: string; to: string; resource_id: string }): string {
  return `${origin}/invite?${new URLSearchParams({ to, resource: resource_id })}`;
}

/** The swarms that the user owns: where they may invite to, and add their own devices. */
export const ownedSwarmsQuery = queryOptions({
  queryKey: queryKeys.swarms.owned,
  queryFn: async ({ signal }) =>
    (await send<SwarmList>({ path: '/api/swarm-list?relation=owner&limit=200', signal })).data.items,
});

export interface Membership {
  swarm_id: string;
  resource_id: string;
}

/** The key of the pending action: the pages of the device and of the swarm show the same one. */
export const endMembershipKey = ({ swarm_id, resource_id }: Membership) => `end-membership:${swarm_id}:${resource_id}`;

/** Removes a device from a swarm. Succeeds if it is not a member. */
export async function endMembership({
  client,
  membership,
  keepalive,
}: {
  client: QueryClient;
  membership: Membership;
  keepalive: boolean;
}): Promise<void> {
  await remove({ path: `/api/swarms/${membership.swarm_id}/resources/${membership.resource_id}`, keepalive });
  applyOwnChanges(client, { type: 'membership.changed', data: membership });
}
