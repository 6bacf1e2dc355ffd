import { useRef } from 'react';
import { CopyButton } from '../buttons/copy-button.tsx';
import './copy-field.css';
import { Field } from './field.tsx';

/** A text to copy, such as a key. If the browser does not allow copying, it is selected. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Field label={label}>
      {(control) => (
        <div className="line copy-line">
          <div className="field-box">
            <input
              {...control}
              ref={field}
              readOnly
              data-autofocus
              className="field-input copy-text"
              dir="ltr"
              value={text}
              onFocus={(event) => event.currentTarget.select()}
            />
          </div>
          <CopyButton text={text} onError={() => field.current?.select()} />
        </div>
      )}
    </Field>
  );
}
