import { useCommands } from '../../../ui/keys/keys-provider.tsx';
import { listBesideMapRuns } from '../../../ui/lists/list-beside-map.ts';
import { useMembers } from './members-state.ts';
import { useOpenMember } from './use-selected-member.ts';

/** What the commands of the members tab do (ui/keys/commands.ts). It renders nothing. */
export function MembersTabCommands() {
  const { handle: list, searchField } = useMembers('list');
  const { handle: map } = useMembers('map');
  const { member, select, step } = useMembers('selected');
  const { checked, check } = useMembers('selection');
  const open = useOpenMember();
  useCommands('members', {
    search: () => searchField.current?.focus(),
    ...listBesideMapRuns({ list, map, selected: member?.id ?? null, step, toggle: check.toggle }),
    select_all: checked.total !== 0 && check.all,
    clear() {
      if (checked.isActive) check.clear();
      else select(null);
    },
  });
  useCommands('selected_member', member && { open: () => open(member) });
  return null;
}
