import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { words } from '../device-words.ts';

export function LeaveDialog({ fields, onStay, onLeave }: { fields: number; onStay(): void; onLeave(): void }) {
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={words.leave.title}
      description={words.leave.text(fields)}
      onClose={onStay}
      footer={
        <>
          <Button look="primary" data-autofocus onClick={onStay}>
            {words.leave.stay}
          </Button>
          <Button look="danger" onClick={onLeave}>
            {words.leave.leave}
          </Button>
        </>
      }
    />
  );
}
