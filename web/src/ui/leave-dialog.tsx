import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks whoever is held by `useLeaveGuard`. It comes with its page: what is not saved must not go for want of it. */
export function LeaveDialog({
  words,
  text,
  onStay,
  onLeave,
}: {
  words: { title: string; stay: string; leave: string };
  /** What would be lost. */
  text: string;
  onStay(): void;
  onLeave(): void;
}) {
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={words.title}
      description={text}
      onClose={onStay}
      footer={
        <>
          <Button look="primary" data-autofocus onClick={onStay}>
            {words.stay}
          </Button>
          <Button look="danger" onClick={onLeave}>
            {words.leave}
          </Button>
        </>
      }
    />
  );
}
