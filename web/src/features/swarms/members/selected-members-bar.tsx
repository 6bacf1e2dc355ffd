import { SelectionMenu } from '../../../bulk/bulk-dialog.tsx';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { useMembers } from './members-state.ts';
import { selectedMemberCommands } from './selected-member-commands.tsx';

/** The number of selected members, and what the user may do to them. */
export function SelectedMembersBar() {
  const { handle } = useMembers('list');
  const { checked, check } = useMembers('selection');
  const { openForSelected } = useMembers('dialog');
  return (
    <SelectionBar checked={checked} check={check} list={handle}>
      <SelectionMenu
        scope="member_selection"
        commands={selectedMemberCommands}
        count={checked.count}
        onOpen={openForSelected}
      />
    </SelectionBar>
  );
}
