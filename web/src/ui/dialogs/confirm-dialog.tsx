import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Texts } from '../../text/translation.ts';
import { t } from '../../text/text.ts';
import { Button } from '../buttons/button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from '../symbols/icon.tsx';
import { useClosing, type ClosingOptions, type Outcome } from './use-closing.ts';
import type { useLeaveGuard } from '../pages/use-leave-guard.ts';

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
  /** Said if it was closed while it sent, and that has succeeded. By default, that it is done. */
  outcome?: ClosingOptions['outcome'];
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
  outcome,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const close = useClosing({ busy, closingNote, outcome, title, onClose });
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
            {busy ? t.shell.kit.close : (cancel ?? t.shell.kit.cancel)}
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
  words: Texts['leaving'];
  /** How many fields have unsaved changes. */
  count: number;
  /**
   * Returns whether everything is saved, or waits until the server can be reached. If not, the page says why. Undefined if it cannot be
   * saved any more.
   */
  onSave: (() => Promise<boolean>) | undefined;
  /** A save was under way before the dialog asked. */
  isSaving: boolean;
  /** What else saving does. */
  children?: ReactNode;
}

/**
 * Asks before unsaved changes are lost, while the guard has blocked the navigation. Loaded with its page, because it could
 * not be loaded offline.
 */
export function LeaveDialog(options: LeaveDialogProps) {
  const {
    guard: { isAsking, stay, leave },
    words,
    count,
    onSave,
    isSaving,
    children,
  } = options;
  const [isOwnSave, setOwnSave] = useState(false);
  const busy = isOwnSave || isSaving;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const outcome = (data: unknown): Outcome => {
    const action = { label: t.shell.sending.open, onAction: () => void navigate(pathname + search) };
    const kind = (data as { kind?: string } | undefined)?.kind;
    if (kind === 'conflict')
      return { title: words.conflict, text: words.conflict_text, tone: 'bad', icon: 'warning', action };
    return kind === 'waits'
      ? { title: words.waits, icon: 'clock', action }
      : { title: words.saved, icon: 'check', action };
  };
  const leaveNow = useClosing({ busy, closingNote: words.sent_text, outcome, title: words.title, onClose: leave });
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
      setOwnSave(true);
      const isNowSaved = await onSave();
      setOwnSave(false);
      (isNowSaved ? leave : stay)();
    });
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={busy ? words.sent_title : words.title}
      description={busy ? words.sent_text : words.text(count)}
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
          <Button look="danger" onClick={leaveNow}>
            {busy ? words.leave_sent : words.leave}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
