/** The menu of actions on selected members of a swarm. */
import { useMemo } from 'react';
import type { ActionKind, ActionSwarm, Member, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { ActionMenu } from '../../../bulk/bulk-dialog.tsx';
import { CountList, countGroups } from '../../../bulk/count-list.tsx';
import { createExport } from '../../../bulk/export-dialog.tsx';
import { createListAction, type Items, type ListActionOptions } from '../../../bulk/list-action.tsx';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { actionsOnMember, managesSwarm } from '../swarm-rights.ts';
import { memberFile } from './member-file.ts';
import type { MemberSelection } from './use-member-selection.ts';

/** A selected member, with what the user may do to it. */
type SelectedMember = Member & { actions: ReturnType<typeof actionsOnMember> };

const createMemberAction = <About extends object, Kind extends ActionKind>(
  options: Omit<ListActionOptions<SelectedMember, About, Kind>, 'itemOf'>,
) => createListAction<SelectedMember, About, Kind>({ ...options, itemOf: ({ id, name }) => ({ id, name }) });

const changeRole = (swarm: ActionSwarm) =>
  createMemberAction<{ resource_type: MemberRole }, 'change_role'>({
    name: 'change_role',
    kind: 'change_role',
    texts: () => t.bulk.member_actions.change_role,
    icon: 'edit',
    // The server does not know which members of other users need an invitation.
    readsItems: true,
    concerns: ({ actions }, { resource_type }) =>
      actions.changeTo.includes(resource_type) || actions.reduceTo.some((role) => role === resource_type),
    Fields: ({ about, onChange }) => (
      <RoleChoice
        label={t.bulk.role}
        value={about?.resource_type}
        onChange={(resource_type) => onChange({ resource_type })}
      />
    ),
    aboutOf: (about) => ({ swarm, ...about }),
  });

const exportMembers = createExport<SelectedMember>({
  texts: () => t.bulk.member_actions.export,
  fileName: () => t.bulk.members_file,
  partsOf: memberFile,
});

const removeMembers = (swarm: ActionSwarm) =>
  createMemberAction<object, 'remove_member'>({
    name: 'remove',
    kind: 'remove_member',
    texts: () => t.bulk.member_actions.remove,
    icon: 'trash',
    isDangerous: true,
    initial: {},
    Summary: OwnersSummary,
    concerns: ({ actions }) => actions.remove,
    aboutOf: () => ({ swarm }),
  });

/** Whose devices they are. */
function OwnersSummary({ items }: Items<SelectedMember>) {
  if (items.length === 0) return null;
  return (
    <div>
      {t.bulk.owners}
      <CountList
        groups={countGroups(items.map(({ user_id }) => ({ id: user_id, name: user_id })))}
        line={t.bulk.device_line}
      />
    </div>
  );
}

interface MemberActionsProps {
  swarm: SwarmItem;
  user_id: string;
  selection: MemberSelection;
}

export function MemberActions({ swarm, user_id, selection }: MemberActionsProps) {
  const { id, name } = swarm;
  const actions = useMemo(() => {
    const about = { id, name };
    return [changeRole(about), exportMembers, removeMembers(about)];
  }, [id, name]);
  const withActions = (members: readonly Member[]): SelectedMember[] =>
    members.map((member) => ({
      ...member,
      actions: actionsOnMember({ swarm, member, mine: member.user_id === user_id }),
    }));
  return (
    <ActionMenu<SelectedMember>
      actions={actions}
      filter={managesSwarm(swarm) ? selection.filter : undefined}
      selection={selection.selection}
      count={selection.count}
      loaded={() => withActions(selection.loaded())}
      read={async (options) => withActions(await selection.read(options))}
      onRun={({ isDangerous }) => {
        if (isDangerous) selection.clear();
      }}
    />
  );
}
