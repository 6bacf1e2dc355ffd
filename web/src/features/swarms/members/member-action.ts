import type { ActionKind, Member, SwarmItem } from '@swarmdeck/bff/contract';
import { createListAction, type BulkAction, type ListActionOptions } from '../../../bulk/list-action.tsx';
import { t } from '../../../text/text.ts';
import { memberActs } from './member-filters.ts';

/** A selected member, with what the user may do to it. */
export type SelectedMember = Member & { acts: ReturnType<typeof memberActs> };

export type MemberAction = BulkAction<SelectedMember>;
export type MemberActionName = keyof (typeof t)['bulk']['member_actions'];

export const selectedMember = ({ relation }: SwarmItem, user_id: string, member: Member): SelectedMember => ({
  ...member,
  acts: memberActs({ role: member.resource_type, mine: member.user_id === user_id, owner: relation === 'owner' }),
});

export const memberTexts =
  <Name extends MemberActionName>(name: Name) =>
  () =>
    t.bulk.member_actions[name];

/** A bulk action on the members of a swarm. Its place in the menu is in member-actions.tsx. */
export const createMemberAction = <About extends object, Kind extends ActionKind>(
  options: Omit<ListActionOptions<SelectedMember, About, Kind>, 'texts' | 'itemOf'> & { name: MemberActionName },
) =>
  createListAction<SelectedMember, About, Kind>({
    ...options,
    texts: memberTexts(options.name),
    itemOf: ({ id, name }) => ({ id, name }),
  });
