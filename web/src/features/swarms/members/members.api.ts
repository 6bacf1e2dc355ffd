/** The requests that change a member. Its removal is in api/memberships.ts, because the page of a device has it too. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { send } from '../../../api/client.ts';
import type { Membership } from '../../../api/memberships.ts';

export function roleRequest({ swarm_id, resource_id, resource_type }: Membership & { resource_type: MemberRole }) {
  return { method: 'PUT' as const, path: `/api/swarms/${swarm_id}/resources/${resource_id}`, body: { resource_type } };
}

export function useChangeRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (member: Membership & { resource_type: MemberRole }) => send(roleRequest(member)),
    onSettled: (_data, _error, { swarm_id, resource_id }) =>
      applyOwnChanges(client, { type: 'membership.changed', data: { swarm_id, resource_id } }),
  });
}
