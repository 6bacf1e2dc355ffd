import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Note } from '../../ui/notice.tsx';
import { errorSentence } from '../../api/problem.ts';

/** A confirmation on the account page, with the error of a failed request. */
export function Confirm({
  title,
  text,
  confirm,
  busy,
  error,
  onConfirm,
  onClose,
}: {
  title: string;
  text: string;
  confirm: string;
  busy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}) {
  return (
    <ConfirmDialog
      title={title}
      description={text}
      cancel={t.account.cancel}
      {...{ confirm, busy, onConfirm, onClose }}
    >
      <div role="alert">{error && <Note tone="bad">{errorSentence(error)}</Note>}</div>
    </ConfirmDialog>
  );
}
