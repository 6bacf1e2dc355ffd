import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Dialog } from './dialog.tsx';
import { Note } from './notice.tsx';
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
  const asking = closing || guard.isAsking;
  const stay = () => {
    setClosing(false);
    guard.stay();
  };
  const store = (next: boolean) => {
    setChecked(next);
    if (next) stay();
    onStored?.(next);
  };
  const close = () => {
    // It may lead to another page.
    guard.release();
    onClose();
    guard.leave();
  };
  return (
    <Dialog
      title={title}
      description={text}
      onClose={() => (isStored ? close() : asking ? stay() : setClosing(true))}
      footer={
        asking ? (
          <div className="line wraps grow" role="alert">
            <Note tone="warn" icon="warning">
              <b>{texts.lost_title}</b> {texts.lost_text}
            </Note>
            <Button look="primary" onClick={stay}>
              {texts.lost_back}
            </Button>
            <Button look="danger" onClick={close}>
              {texts.lost_close}
            </Button>
          </div>
        ) : (
          <Button look="primary" onClick={() => (isStored ? onClose() : setClosing(true))}>
            {texts.done}
          </Button>
        )
      }
    >
      {children}
      <div>
        <Checkbox label={texts.is_stored} checked={isStored} onChange={store} />
        {!isStored && <p className="quiet">{texts.closing_asks}</p>}
      </div>
    </Dialog>
  );
}
