import { useRef, type ReactNode } from 'react';
import { CopyButton } from '../buttons/copy-button.tsx';
import '../fields/field-parts.css';
import './code-block.css';

/** Code to copy, with what it does below it. If the browser does not allow copying, the code is selected. */
export function CodeBlock({ label, code, hint }: { label: string; code: string; hint: ReactNode }) {
  const text = useRef<HTMLElement>(null);
  return (
    <div className="field">
      <p className="field-label">{label}</p>
      <div className="code-block">
        <code ref={text} dir="ltr">
          {code}
        </code>
        <CopyButton
          look="accent"
          text={code}
          onError={() => text.current && getSelection()?.selectAllChildren(text.current)}
        />
      </div>
      <p className="field-hint muted">{hint}</p>
    </div>
  );
}
