import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';

/** Asks before an action that cannot be undone. The focus is on Cancel. */
export function ConfirmDialog({
  title,
  description,
  confirm,
  cancel,
  icon,
  busy = false,
  onConfirm,
  onClose,
  children,
}: {
  title: ReactNode;
  description: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  cancel: string;
  icon?: IconName;
  busy?: boolean;
  onConfirm(): void;
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
          <Button look="danger-primary" sends busy={busy} onClick={onConfirm} {...(icon && { icon })}>
            {confirm}
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

/**
 * Asks before unsaved changes are lost; see use-leave-guard.ts. Loaded with its page, because it could not be loaded
 * offline.
 */
export function LeaveDialog({
  words,
  text,
  onStay,
  onLeave,
}: {
  words: { title: string; stay: string; leave: string };
  /** Describes what would be lost. */
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
