import { sharePage } from '../../../shared/share-page.tsx';
import type { InboxLayout } from './inbox-layout.ts';
import { useInboxDialog } from './use-inbox-dialog.ts';
import { useInboxFocus } from './use-inbox-focus.ts';
import { useInboxRows } from './use-inbox-rows.ts';
import { useInboxSelection } from './use-inbox-selection.ts';
import { useInboxSteps } from './use-inbox-steps.ts';
import { useOpenInvitation } from './use-open-invitation.ts';

/** The state of the inbox, a hook for each concern. */
export const [InboxState, useInbox] = sharePage(function useInboxState({ layout }: { layout: InboxLayout }) {
  const focus = useInboxFocus();
  const rows = useInboxRows(layout);
  const selection = useInboxSelection(rows);
  const open = useOpenInvitation(rows);
  const steps = useInboxSteps({ layout, focus, rows, open });
  const dialog = useInboxDialog({ selection, open });
  return { layout, focus, rows, selection, open, steps, dialog };
});
