import { useMemo, useState, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { atTextSize } from '../../../ui/browser/media.ts';
import './codes-field.css';
import type { CheckedLine } from './invite-check.ts';
import type { InviteCodes } from './use-invite-codes.ts';

const fewestLines = 6;
const mostLinesShown = 16;
/** In px, as in codes-field.css. */
const lineHeight = () => atTextSize(22);
const padding = 8;

const isMalformed = ({ verdict }: CheckedLine) => verdict.kind === 'malformed';

/**
 * A text field with line numbers, as high as its text, which scrolls from 16 lines on. Malformed lines are highlighted.
 * Only the visible numbers and highlights are drawn.
 */
export function CodesField({ codes, children }: { codes: InviteCodes; children: ReactNode }) {
  const [top, setTop] = useState(0);
  const count = Math.max(fewestLines, codes.text.split('\n').length);
  const height = lineHeight();
  const first = Math.max(1, Math.floor((top - padding) / height) + 1);
  const numbers = Array.from({ length: Math.min(count - first + 1, mostLinesShown + 2) }, (_, index) => first + index);
  const malformed = useMemo(() => new Set(codes.checked.filter(isMalformed).map(({ line }) => line)), [codes.checked]);
  const hint = (
    <span className="codes-hint">
      <Rich text={t.invite.codes_hint} example={<code>{t.invite.codes_example}</code>} /> {children}
    </span>
  );
  return (
    <Field label={t.invite.codes} hint={hint}>
      {(control) => (
        <div
          className="codes-box"
          dir="ltr"
          style={{ blockSize: Math.min(count, mostLinesShown + 0.5) * height + 2 * padding }}
        >
          <div
            aria-hidden="true"
            className="codes-numbers"
            style={{ insetBlockStart: padding + (first - 1) * height - top }}
          >
            {numbers.map((line) => (
              <span key={line} className={malformed.has(line) ? 'codes-number codes-band' : 'codes-number'}>
                {line}
              </span>
            ))}
          </div>
          <textarea
            {...control}
            className="codes-text"
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-invalid={malformed.size > 0 || undefined}
            value={codes.text}
            onChange={(event) => codes.edit.change(event.currentTarget.value)}
            onScroll={(event) => setTop(Math.max(0, event.currentTarget.scrollTop))}
            // Scrolls to the beginning of the lines, which has the user names.
            onPaste={(event) => toStart(event.currentTarget)}
            onBlur={(event) => toStart(event.currentTarget)}
          />
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
  field.scrollTo({ top: (line - 3) * lineHeight(), left: 0 });
}
