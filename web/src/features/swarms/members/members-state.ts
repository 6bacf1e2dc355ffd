import { sharePage } from '../../../shared/share-page.tsx';
import { useHoverState } from '../../../ui/lists/use-hover.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useMemberList } from './use-member-list.ts';
import { useMemberSelection } from './use-member-selection.ts';
import { useMembersDialog } from './use-members-dialog.ts';
import { useMembersMap } from './use-members-map.ts';
import { useMembersSheet } from './use-members-sheet.ts';
import { useSelectedMember } from './use-selected-member.ts';

/** The state of the members of a swarm, a hook for each concern. */
export const [MembersState, useMembers] = sharePage(function useMembersState() {
  const { swarm } = useShownSwarm();
  const hover = useHoverState();
  const sheet = useMembersSheet();
  const map = useMembersMap();
  const members = useMemberList(swarm);
  const { query, ...list } = members;
  const selection = useMemberSelection(members);
  const selected = useSelectedMember({ swarm, map, list: members });
  const dialog = useMembersDialog();
  return { hover, sheet, map, query, list, selection, selected, dialog };
});
