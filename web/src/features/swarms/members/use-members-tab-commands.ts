import { useCommands } from '../../../ui/keys-provider.tsx';
import { useMemberList } from './use-member-list.ts';
import { useMemberSelection } from './use-member-selection.ts';
import { useMembersMap } from './use-members-map.ts';
import { useOpenMember, useSelectedMember } from './use-selected-member.ts';

/** What the commands of the members tab do (ui/commands.ts). */
export function useMembersTabCommands(): void {
  const { handle: list, searchField } = useMemberList();
  const { handle: map } = useMembersMap();
  const { member, select, step } = useSelectedMember();
  const selection = useMemberSelection();
  const open = useOpenMember();
  useCommands('members', {
    search: () => searchField.current?.focus(),
    next: () => step(1),
    previous: () => step(-1),
    focus_map: () => map.current?.focus(),
    focus_list: () => list.current?.focus(),
    fit: () => map.current?.fit(),
    select({ shiftKey }) {
      const id = list.current?.focused() ?? member?.id;
      if (id !== undefined) selection.toggle(id, shiftKey);
    },
    clear() {
      if (selection.isActive) selection.clear();
      else select(null);
    },
  });
  useCommands('selected_member', member && { open: () => open(member) });
}
