import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';

/** One question before something that cannot be undone; the way back has the focus. */
export function ConfirmDialog({
  title,
  description,
  act,
  cancel,
  icon,
  busy = false,
  onAct,
  onClose,
  children,
}: {
  title: ReactNode;
  description: ReactNode;
  /** What the buttons say. */
  act: string;
  cancel: string;
  icon?: IconName;
  busy?: boolean;
  onAct(): void;
  onClose(): void;
  children?: ReactNode;
}) {
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button look="danger-primary" sends busy={busy} onClick={onAct} {...(icon && { icon })}>
            {act}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {cancel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
