import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { useClosing } from './use-closing.ts';
import type { useLeaveGuard } from './use-leave-guard.ts';

interface ConfirmDialogProps {
  title: ReactNode;
  description: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  /** "Cancel" by default. */
  cancel?: string | undefined;
  icon?: IconName;
  /** It deletes something. */
  isDangerous?: boolean;
  busy?: boolean;
  /** Said if it is closed while it sends. */
  closingNote?: string;
  onConfirm(): void;
  onClose(): void;
  children?: ReactNode;
}

/** Asks before an action that deletes something, or has other consequences. The focus is on Cancel. */
export function ConfirmDialog({
  title,
  description,
  confirm,
  cancel,
  icon,
  isDangerous = true,
  busy = false,
  closingNote,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const close = useClosing({ busy, closingNote, onClose });
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={title}
      description={description}
      onClose={close}
      busy={busy}
      footer={
        <>
          <Button look={isDangerous ? 'danger-primary' : 'primary'} sends busy={busy} onClick={onConfirm} icon={icon}>
            {confirm}
          </Button>
          <Button data-autofocus onClick={close}>
            {cancel ?? t.shell.kit.cancel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface LeaveDialogProps {
  guard: ReturnType<typeof useLeaveGuard>;
  words: { title: string; text(count: number): string; save: string; stay: string; leave: string };
  /** How many fields have unsaved changes. */
  count: number;
  /**
   * Returns whether everything is saved, or waits until the server can be reached. If not, the page says why. Undefined if it cannot be
   * saved any more.
   */
  onSave: (() => Promise<boolean>) | undefined;
}

/**
 * Asks before unsaved changes are lost, while the guard has blocked the navigation. Loaded with its page, because it could
 * not be loaded offline.
 */
export function LeaveDialog({ guard: { isAsking, stay, leave }, words, count, onSave }: LeaveDialogProps) {
  const [busy, setBusy] = useState(false);
  // The save that was under way has ended.
  const isSaved = isAsking && count === 0 && !busy;
  const goOn = useEffectEvent(leave);
  useEffect(() => {
    if (isSaved) goOn();
  }, [isSaved]);
  if (!isAsking) return null;
  const save =
    onSave &&
    (async () => {
      setBusy(true);
      const isNowSaved = await onSave();
      setBusy(false);
      (isNowSaved ? leave : stay)();
    });
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={words.title}
      description={words.text(count)}
      onClose={stay}
      footer={
        <>
          {save && (
            <Button look="primary" acts busy={busy} data-autofocus onClick={() => void save()}>
              {words.save}
            </Button>
          )}
          <Button data-autofocus={!save || undefined} onClick={stay}>
            {words.stay}
          </Button>
          <Button look="danger" onClick={leave}>
            {words.leave}
          </Button>
        </>
      }
    />
  );
}
