import { useMemo } from 'react';
import type { ActionSwarm, SwarmItem } from '@swarmdeck/bff/contract';
import { ActionMenu } from '../../../bulk/bulk-dialog.tsx';
import { createExport } from '../../../bulk/export-dialog.tsx';
import { t } from '../../../text/text.ts';
import { managesSwarm } from '../manages-swarm.ts';
import { changeRole } from './change-role.tsx';
import { memberTexts, selectedMember, type MemberAction, type SelectedMember } from './member-action.ts';
import { memberFile } from './member-file.ts';
import { removeMembers } from './remove-members.tsx';
import type { MemberSelection } from './use-member-selection.ts';

const exportMembers = createExport<SelectedMember>({
  texts: memberTexts('export'),
  fileName: () => t.bulk.members_file,
  partsOf: memberFile,
});

/** The menu of the selected members, in its order. */
const memberActions = (swarm: ActionSwarm): MemberAction[] => [changeRole(swarm), exportMembers, removeMembers(swarm)];

interface MemberActionsProps {
  swarm: SwarmItem;
  user_id: string;
  selection: MemberSelection;
}

export function MemberActions({ swarm, user_id, selection }: MemberActionsProps) {
  const { id, name } = swarm;
  const actions = useMemo(() => memberActions({ id, name }), [id, name]);
  return (
    <ActionMenu<SelectedMember>
      actions={actions}
      filter={managesSwarm(swarm) ? selection.filter : undefined}
      selection={selection.selection}
      count={selection.count}
      loaded={() => selection.loaded().map((member) => selectedMember(swarm, user_id, member))}
      read={async (options) => (await selection.read(options)).map((member) => selectedMember(swarm, user_id, member))}
      onRun={({ isDangerous }) => {
        if (isDangerous) selection.clear();
      }}
    />
  );
}
