import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Field } from '../../../ui/field.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { atTextSize } from '../../../ui/media.ts';
import './codes-field.css';
import type { Invite } from './use-invite.ts';

const fewestLines = 6;
/** In px, as in codes-field.css. */
const lineHeight = () => atTextSize(22);
/** More highlighted lines are not drawn, because each costs rendering time. */
const mostBands = 200;

/** A text field with line numbers, as high as its text. Malformed lines are highlighted. */
export function CodesField({ invite, children }: { invite: Invite; children: ReactNode }) {
  const count = Math.max(fewestLines, invite.text.split('\n').length);
  const malformed = invite.checked.filter(({ verdict }) => verdict.kind === 'malformed').slice(0, mostBands);
  const hint = (
    <span className="codes-hint">
      <Rich text={t.invite.codes_hint} example={<code>{t.invite.codes_example}</code>} /> {children}
    </span>
  );
  return (
    <Field label={t.invite.codes} hint={hint}>
      {(control) => (
        <div className="codes-box">
          <div className="codes-page" style={{ blockSize: count * lineHeight() + 16 }}>
            <div aria-hidden="true">
              {malformed.map(({ line }) => (
                <span key={line} className="codes-band" style={{ insetBlockStart: 8 + (line - 1) * lineHeight() }} />
              ))}
              <pre className="codes-numbers">{Array.from({ length: count }, (_, index) => index + 1).join('\n')}</pre>
            </div>
            <textarea
              {...control}
              className="codes-text"
              dir="ltr"
              rows={count}
              wrap="off"
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              aria-invalid={malformed.length > 0 || undefined}
              value={invite.text}
              onChange={(event) => invite.change(event.currentTarget.value)}
              // Scrolls to the beginning of the lines, which has the user names.
              onPaste={(event) => toStart(event.currentTarget)}
              onBlur={(event) => toStart(event.currentTarget)}
            />
          </div>
        </div>
      )}
    </Field>
  );
}

function toStart(field: HTMLTextAreaElement) {
  requestAnimationFrame(() => field.scrollTo({ left: 0 }));
}

/** Moves the cursor to the end of a line. */
export function goToLine(line: number): void {
  const field = document.querySelector<HTMLTextAreaElement>('.codes-text');
  if (!field) return;
  const end = field.value.split('\n').slice(0, line).join('\n').length;
  field.focus();
  field.setSelectionRange(end, end);
  field.parentElement?.parentElement?.scrollTo({ top: (line - 3) * lineHeight() });
}
