import type { QueryClient } from '@tanstack/react-query';
import { applyOwnChanges } from './changes.ts';
import { remove } from './client.ts';

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
