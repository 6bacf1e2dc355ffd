import type { ActionKind, Member, SwarmItem } from '@swarmdeck/bff/contract';
import { createListAction, type BulkAction, type ListActionOptions } from '../../../bulk/list-action.tsx';
import { t } from '../../../text/text.ts';
import { managesSwarm } from '../manages-swarm.ts';
import { memberActions } from './member-filters.ts';

/** For `memberActions`. */
export const relationOf = (swarm: SwarmItem, member: Member) => ({
  ofOwner: member.user_id === swarm.user_id,
  manages: managesSwarm(swarm),
});

/** A selected member, with what the user may do to it. */
export type SelectedMember = Member & { actions: ReturnType<typeof memberActions> };

export type MemberAction = BulkAction<SelectedMember>;
export type MemberActionName = keyof (typeof t)['bulk']['member_actions'];

export const selectedMember = (swarm: SwarmItem, user_id: string, member: Member): SelectedMember => ({
  ...member,
  actions: memberActions({
    role: member.resource_type,
    mine: member.user_id === user_id,
    ...relationOf(swarm, member),
  }),
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
