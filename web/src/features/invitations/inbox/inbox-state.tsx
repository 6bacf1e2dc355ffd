import type { ReactNode } from 'react';
import { InboxDialogProvider } from './use-inbox-dialog.ts';
import { InboxFocusProvider } from './use-inbox-focus.ts';
import { InboxRowsProvider } from './use-inbox-rows.ts';
import { InboxSelectionProvider } from './use-inbox-selection.ts';
import { InboxStepsProvider } from './use-inbox-steps.ts';
import { OpenInvitationProvider } from './use-open-invitation.ts';

/** The state of the inbox, a hook for each concern. A hook reads those around it. */
export function InboxState({ children }: { children: ReactNode }) {
  return (
    <InboxFocusProvider>
      <InboxRowsProvider>
        <InboxSelectionProvider>
          <OpenInvitationProvider>
            <InboxStepsProvider>
              <InboxDialogProvider>{children}</InboxDialogProvider>
            </InboxStepsProvider>
          </OpenInvitationProvider>
        </InboxSelectionProvider>
      </InboxRowsProvider>
    </InboxFocusProvider>
  );
}
