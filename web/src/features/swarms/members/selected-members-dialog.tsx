import type { Member } from '@swarmdeck/bff/contract';
import { BulkDialog } from '../../../bulk/bulk-dialog.tsx';
import type { BulkCommand } from '../../../bulk/commands.tsx';
import { managesSwarm } from '../swarm-rights.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useSelectedMembers } from './use-selected-members.ts';
import { useMembers } from './members-state.ts';

/** The dialog of a command on the selected members. */
export function SelectedMembersDialog({ command, onClose }: { command: BulkCommand<Member>; onClose(): void }) {
  const { swarm } = useShownSwarm();
  const { checked, check } = useMembers('selection');
  const { filter, ...members } = useSelectedMembers();
  return (
    <BulkDialog
      {...members}
      command={command}
      selection={checked.selection}
      count={checked.count}
      onClose={onClose}
      filter={managesSwarm(swarm) ? filter : undefined}
      onRun={() => command.isDangerous && check.clear()}
    />
  );
}
