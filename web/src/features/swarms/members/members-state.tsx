import type { ReactNode } from 'react';
import { HoverProvider } from '../../../ui/use-hover.ts';
import { MembersDialogProvider } from './use-members-dialog.ts';
import { MemberListProvider } from './use-member-list.ts';
import { MemberSelectionProvider } from './use-member-selection.ts';
import { MembersMapProvider } from './use-members-map.ts';
import { MembersSheetProvider } from './use-members-sheet.ts';
import { SelectedMemberProvider } from './use-selected-member.ts';

/** The state of the members of a swarm, a hook for each concern. A hook reads those around it. */
export function MembersState({ children }: { children: ReactNode }) {
  return (
    <HoverProvider>
      <MembersSheetProvider>
        <MembersMapProvider>
          <MemberListProvider>
            <MemberSelectionProvider>
              <SelectedMemberProvider>
                <MembersDialogProvider>{children}</MembersDialogProvider>
              </SelectedMemberProvider>
            </MemberSelectionProvider>
          </MemberListProvider>
        </MembersMapProvider>
      </MembersSheetProvider>
    </HoverProvider>
  );
}
