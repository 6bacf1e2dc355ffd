import { useState, type ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { Checkbox } from '../fields/checkbox.tsx';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Offline } from '../browser/offline.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

interface ShownOnceProps {
  title: string;
  text: ReactNode;
  /** What the user confirms, and is asked without that. */
  texts: Record<
    'is_stored' | 'done' | 'closing_asks' | 'lost_title' | 'lost_text' | 'lost_close' | 'lost_back',
    string
  >;
  /** Whether the checkbox is checked, if something else than the user decides that. */
  isStored?: boolean;
  /** The user checks the checkbox, or unchecks it. */
  onStored?(isStored: boolean): void;
  onClose(): void;
  children: ReactNode;
}

/**
 * Shows something that is never shown again. Closing it or leaving the page before the checkbox is checked asks for
 * confirmation.
 */
export function ShownOnce({ title, text, texts, onStored, onClose, children, ...props }: ShownOnceProps) {
  const [isChecked, setChecked] = useState(false);
  const { isStored = isChecked } = props;
  const guard = useLeaveGuard(!isStored);
  const [closing, setClosing] = useState(false);
  const stay = () => {
    setClosing(false);
    guard.stay();
  };
  const store = (next: boolean) => {
    setChecked(next);
    onStored?.(next);
  };
  const close = () => {
    // It may lead to another page.
    guard.release();
    onClose();
    guard.leave();
  };
  const tryToClose = () => (isStored ? close() : setClosing(true));
  return (
    <Dialog
      title={title}
      description={text}
      onClose={tryToClose}
      footer={
        <Button look="primary" onClick={tryToClose}>
          {texts.done}
        </Button>
      }
    >
      {children}
      <div>
        <Checkbox label={texts.is_stored} checked={isStored} onChange={store} />
        {!isStored && <p className="quiet">{texts.closing_asks}</p>}
      </div>
      {(closing || guard.isAsking) && <LostQuestion texts={texts} onConfirm={close} onClose={stay} />}
    </Dialog>
  );
}

interface LostQuestionProps {
  texts: Record<'lost_title' | 'lost_text' | 'lost_close' | 'lost_back', string>;
  onConfirm(): void;
  onClose(): void;
}

/**
 * Asks before what is shown only once is lost. It is a dialog of its own: another dialog may be open above the one that shows it, and
 * the browser puts the last one on top.
 */
export function LostQuestion({ texts, onConfirm, onClose }: LostQuestionProps) {
  return (
    // Closing sends nothing.
    <Offline value={null}>
      <ConfirmDialog
        title={texts.lost_title}
        description={texts.lost_text}
        confirm={texts.lost_close}
        cancel={texts.lost_back}
        onConfirm={onConfirm}
        onClose={onClose}
      />
    </Offline>
  );
}
