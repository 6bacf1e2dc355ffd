import { ta } from '../../text/account.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/notice.tsx';
import { errorText } from './error-text.ts';

/** One question before something that cannot be undone; the way back has the focus. */
export function Confirm({
  title,
  text,
  act,
  busy,
  error,
  onAct,
  onClose,
}: {
  title: string;
  text: string;
  act: string;
  busy: boolean;
  error: Error | null;
  onAct(): void;
  onClose(): void;
}) {
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={title}
      description={text}
      onClose={onClose}
      footer={
        <>
          <Button look="danger-primary" busy={busy} onClick={onAct}>
            {act}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {ta.cancel}
          </Button>
        </>
      }
    >
      <div role="alert">{error && <Note tone="bad">{errorText(error)}</Note>}</div>
    </Dialog>
  );
}
