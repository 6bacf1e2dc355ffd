import type { Member } from '@swarmdeck/bff/contract';
import { BulkDialog } from '../../../bulk/bulk-dialog.tsx';
import type { BulkCommand } from '../../../bulk/commands.tsx';
import { managesSwarm } from '../swarm-rights.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useMemberSelection, useSelectedMembers } from './use-member-selection.ts';

/** The dialog of a command on the selected members. */
export function SelectedMembersDialog({ command, onClose }: { command: BulkCommand<Member>; onClose(): void }) {
  const { swarm } = useShownSwarm();
  const { selected, select } = useMemberSelection();
  const { filter, ...members } = useSelectedMembers();
  return (
    <BulkDialog
      {...members}
      command={command}
      selection={selected.selection}
      count={selected.count}
      onClose={onClose}
      filter={managesSwarm(swarm) ? filter : undefined}
      onRun={() => command.isDangerous && select.clear()}
    />
  );
}
