import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { createBulkAction } from '../../../bulk/bulk-action.tsx';
import type { ActionOptions, BulkAction, BulkRow } from '../../../bulk/bulk-action.tsx';
import { t } from '../../../text/text.ts';
import { memberActs } from './member-filters.ts';

/** A selected member, with what the user may do to it. */
export type SelectedMember = Member & { swarm_id: string; acts: ReturnType<typeof memberActs> };

export type MemberAction = BulkAction<SelectedMember>;
export type MemberActionName = keyof (typeof t)['bulk']['member_actions'];
export type MembershipRow = BulkRow & { swarm_id: string; resource_id: string };

/** A device may be removed from two swarms at a time. */
export const membershipId = ({ swarm_id, resource_id }: { swarm_id: string; resource_id: string }) =>
  `${swarm_id}:${resource_id}`;

export const selectedMember = ({ id, relation }: SwarmItem, user_id: string, member: Member): SelectedMember => ({
  ...member,
  swarm_id: id,
  acts: memberActs({ role: member.resource_type, mine: member.user_id === user_id, owner: relation === 'owner' }),
});

export const memberTexts = (name: MemberActionName) => () => t.bulk.member_actions[name];

/** A bulk action on the members of a swarm. Its place in the menu is in member-actions.tsx. */
export const createMemberAction = <About extends object>({
  name,
  ...options
}: Omit<
  ActionOptions<SelectedMember, About, MembershipRow>,
  'name' | 'texts' | 'rowOf' | 'changes' | 'isUndoable' | 'keepsRows'
> & { name: MemberActionName }) =>
  createBulkAction<SelectedMember, About, MembershipRow>({
    ...options,
    name: `members-${name}`,
    texts: memberTexts(name),
    isUndoable: true,
    keepsRows: true,
    rowOf({ id: resource_id, name: device, swarm_id }) {
      return { id: membershipId({ swarm_id, resource_id }), name: device, swarm_id, resource_id };
    },
    changes: (rows) =>
      [...new Set(rows.map(({ swarm_id }) => swarm_id))].map((swarm_id) => ({
        type: 'membership.changed',
        data: { swarm_id },
      })),
  });
