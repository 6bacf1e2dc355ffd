import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { BlockUser } from './block-user.tsx';
import { BulkButtons, BulkConsent, BulkFacts, BulkSummaryProvider, useBulkWords } from './bulk-pane.tsx';
import { useInboxAnswers } from './use-inbox-answers.ts';
import { useInbox } from './inbox-state.ts';

const AcceptUntil = lazyPart(async () => (await import('./accept-until.tsx')).AcceptUntil);

/** Beside the list and the open invitation, so that they stay open while a phone is turned. */
export function InboxDialogs() {
  const { shown, close } = useInbox('dialog');
  const { item } = useInbox('open');
  const { answer } = useInboxAnswers();
  if (shown?.kind === 'review') {
    return (
      <BulkSummaryProvider>
        <Review onClose={close} />
      </BulkSummaryProvider>
    );
  }
  if (!shown || !item) return null;
  if (shown.kind === 'block') return <BlockUser item={item} onClose={close} />;
  return <AcceptUntil item={item} onAccept={(endsAt) => answer('accept', item, endsAt)} onClose={close} />;
}

/**
 * The summary of the selected invitations. On a desk it is beside the list (bulk-pane.tsx). The consent scrolls with it: on a small
 * screen, or with large text, it would leave no room for the list above the buttons.
 */
function Review({ onClose }: { onClose(): void }) {
  const { title, text } = useBulkWords();
  return (
    <Dialog title={title} description={text} onClose={onClose} footer={<BulkButtons onDone={onClose} />}>
      <BulkConsent />
      <BulkFacts />
    </Dialog>
  );
}
