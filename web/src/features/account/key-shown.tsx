import { useRef, useState, type ReactNode } from 'react';
import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/notice.tsx';
import { useLeaveGuard } from '../../ui/use-leave-guard.ts';
import './key-shown.css';

interface KeyShownProps {
  created: CreatedApiKey;
  text: string;
  onClose(): void;
  /** How the key is used. */
  children: ReactNode;
}

/**
 * Shows a new key, which is never shown again. Closing it or leaving the page before the checkbox is checked asks for
 * confirmation.
 */
export function KeyShown({ created, text, onClose, children }: KeyShownProps) {
  const [isStored, setIsStored] = useState(false);
  const guard = useLeaveGuard(!isStored);
  const [closing, setClosing] = useState(false);
  const asking = closing || guard.isAsking;
  const stay = () => {
    setClosing(false);
    guard.stay();
  };
  const close = () => {
    onClose();
    guard.leave();
  };
  const key = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={t.account.keys.ready(created.name)}
      description={text}
      onClose={() => (isStored ? close() : asking ? stay() : setClosing(true))}
      footer={
        asking ? (
          <LastQuestion onBack={stay} onClose={close} />
        ) : (
          <>
            <Button look="primary" onClick={() => (isStored ? onClose() : setClosing(true))}>
              {t.account.keys.done}
            </Button>
            {!isStored && <span className="quiet to-end">{t.account.keys.closing_asks}</span>}
          </>
        )
      }
    >
      <Field label={t.account.keys.key}>
        {(control) => (
          <div className="line key-line">
            <div className="field-box">
              <input
                {...control}
                ref={key}
                readOnly
                data-autofocus
                className="field-input key-text"
                dir="ltr"
                value={created.key}
                onFocus={(event) => event.currentTarget.select()}
              />
            </div>
            <CopyButton text={created.key} onError={() => key.current?.select()} />
          </div>
        )}
      </Field>
      {children}
      <Checkbox label={t.account.keys.is_stored} checked={isStored} onChange={setIsStored} />
    </Dialog>
  );
}

function LastQuestion({ onBack, onClose }: { onBack(): void; onClose(): void }) {
  return (
    <div className="line wraps grow" role="alert">
      <Note tone="warn" icon="warning">
        <b>{t.account.keys.lost_title}</b> {t.account.keys.lost_text}
      </Note>
      <Button look="primary" onClick={onBack}>
        {t.account.keys.lost_back}
      </Button>
      <Button look="danger" onClick={onClose}>
        {t.account.keys.lost_close}
      </Button>
    </div>
  );
}
