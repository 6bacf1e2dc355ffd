import type { InvitationRole, MemberRole } from '../../contract.ts';
import type { Stores } from '../stores.ts';

export const rolesOf = (role: MemberRole): InvitationRole[] => (role === 'both' ? ['producer', 'consumer'] : [role]);

/** Whether the role `current` includes the role `next`. */
export function covers(current: MemberRole, next: MemberRole): boolean {
  return current === 'both' || current === next;
}

/**
 * The roles among those of `role` that the resource does not have, each with the id of its invitation. `member`: the membership
 * that it has.
 */
export async function missingRoles({
  members,
  invitations,
  newId,
  ...request
}: Pick<Stores, 'members' | 'invitations'> & {
  newId: () => string;
  swarmId: string;
  resourceId: string;
  role: MemberRole;
}) {
  const { swarmId, resourceId, role } = request;
  const [member, open] = await Promise.all([
    members.find({ id: swarmId, resourceId }),
    invitations.openOf({ swarmId, resourceId }),
  ]);
  const roles = rolesOf(role)
    .filter((wanted) => !member || !covers(member.resource_type, wanted))
    .map((wanted) => ({ role: wanted, id: open.get(wanted) ?? newId(), isOpen: open.has(wanted) }));
  return { member, roles };
}
