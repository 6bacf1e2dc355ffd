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

/**
 * Shows a new key, which is never shown again. Closing it or leaving the page before the checkbox is checked asks for
 * confirmation.
 */
export function KeyShown({ created, onClose }: { created: CreatedApiKey; onClose(): void }) {
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
  const header = `-H 'x-serviceapikey: ${created.key}'`;
  const devices = `${location.origin}/service/resources`;
  const body = `-H 'content-type: application/json' -d '{"position":{"longitude":13.4,"latitude":52.5}}'`;
  return (
    <Dialog
      title={t.account.keys.ready(created.name)}
      description={t.account.keys.ready_text}
      onClose={() => (isStored || asking ? close() : setClosing(true))}
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
      <Command label={t.account.keys.try_it} line={`curl ${header} ${devices}`}>
        {t.account.keys.try_text}
      </Command>
      <Command label={t.account.keys.move_it} line={`curl -X PUT ${header} ${body} ${devices}/DEVICE_ID`}>
        {t.account.keys.move_text}{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          {t.account.keys.reference}
        </a>
      </Command>
      <Checkbox label={t.account.keys.is_stored} checked={isStored} onChange={setIsStored} />
    </Dialog>
  );
}

/** A line for the shell, with what it does below it. */
function Command({ label, line, children }: { label: string; line: string; children: ReactNode }) {
  const code = useRef<HTMLElement>(null);
  return (
    <div className="field">
      <p className="field-label">{label}</p>
      <div className="key-curl">
        <code ref={code} dir="ltr">
          {line}
        </code>
        <CopyButton look="accent" text={line} onError={() => select(code.current)} />
      </div>
      <p className="field-hint muted">{children}</p>
    </div>
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

function select(element: HTMLElement | null) {
  if (element) getSelection()?.selectAllChildren(element);
}
