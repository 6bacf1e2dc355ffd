import { useRef, type ReactNode } from 'react';
import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import './key-shown.css';

interface KeyShownProps {
  created: CreatedApiKey;
  text: string;
  onClose(): void;
  /** How the key is used. */
  children: ReactNode;
}

/** Shows a new key. */
export function KeyShown({ created, text, onClose, children }: KeyShownProps) {
  const key = useRef<HTMLInputElement>(null);
  return (
    <ShownOnce title={t.account.keys.ready(created.name)} text={text} texts={t.account.keys} onClose={onClose}>
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
    </ShownOnce>
  );
}
