import { useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import { atTextSize } from '../../../ui/media.ts';
import './codes-field.css';
import type { Invite } from './use-invite.ts';

const fewestLines = 6;
/** In px, as in codes-field.css. */
const lineHeight = () => atTextSize(22);
/** More highlighted lines are not drawn, because each costs rendering time. */
const mostBands = 200;

const codesFieldId = 'invite-codes';

/** A text field with line numbers, as high as its text. Malformed lines are highlighted. */
export function CodesField({ invite, children }: { invite: Invite; children: ReactNode }) {
  const hint = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const count = Math.max(fewestLines, invite.text.split('\n').length);
  const malformed = invite.checked.filter(({ verdict }) => verdict.kind === 'malformed').slice(0, mostBands);
  return (
    <div className="codes">
      <label htmlFor={codesFieldId}>{t.invite.codes}</label>
      <div className="codes-box">
        <div className="codes-page" style={{ blockSize: count * lineHeight() + 16 }}>
          <div aria-hidden="true">
            {malformed.map(({ line }) => (
              <span key={line} className="codes-band" style={{ insetBlockStart: 8 + (line - 1) * lineHeight() }} />
            ))}
            <pre className="codes-numbers">{Array.from({ length: count }, (_, index) => index + 1).join('\n')}</pre>
          </div>
          <textarea
            ref={field}
            id={codesFieldId}
            className="codes-text"
            dir="ltr"
            rows={count}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-describedby={hint}
            aria-invalid={malformed.length > 0 || undefined}
            value={invite.text}
            onChange={(event) => invite.change(event.currentTarget.value)}
            // Scrolls to the beginning of the lines, which has the user names.
            onPaste={(event) => toStart(event.currentTarget)}
            onBlur={(event) => toStart(event.currentTarget)}
          />
        </div>
      </div>
      <p id={hint} className="codes-hint quiet">
        <Rich text={t.invite.codes_hint} example={<code>{t.invite.codes_example}</code>} /> {children}
      </p>
    </div>
  );
}

function toStart(field: HTMLTextAreaElement) {
  requestAnimationFrame(() => field.scrollTo({ left: 0 }));
}

/** Moves the cursor to the end of a line. */
export function goToLine(line: number): void {
  const field = document.querySelector<HTMLTextAreaElement>(`#${codesFieldId}`);
  if (!field) return;
  const end = field.value.split('\n').slice(0, line).join('\n').length;
  field.focus();
  field.setSelectionRange(end, end);
  field.parentElement?.parentElement?.scrollTo({ top: (line - 3) * lineHeight() });
}
