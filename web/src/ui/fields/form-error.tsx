import type { ReactNode } from 'react';
import { errorSentence, isSignedOut } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import type { IconName } from '../symbols/icon.tsx';
import { Note, type NoticeTone } from '../toasts/notice.tsx';

interface ErrorNoteProps {
  icon?: IconName;
  tone?: NoticeTone;
  children: ReactNode;
}

/** An error that is read aloud. Always rendered, because only changes in a live region are read aloud. */
export function ErrorNote({ icon = 'warning', tone = 'bad', children }: ErrorNoteProps) {
  return (
    <div role="alert">
      {children && (
        <Note tone={tone} icon={icon}>
          {children}
        </Note>
      )}
    </div>
  );
}

/** Says why an action failed. */
export function ActionError({ error }: { error: Error | null }) {
  return <ErrorNote>{error && errorSentence(error)}</ErrorNote>;
}

interface FormErrorProps {
  error: Error | null | false;
  /** The server could not be reached. The form is sent again automatically. */
  unsent?: boolean;
}

/** On a phone, the button that sends a long form stays in sight, and the end of the form, with this text, may not be. */
const reveal = (text: HTMLElement | null) => text?.scrollIntoView?.({ block: 'nearest' });

/** Says in a form why it was not saved. The dialog to sign in again says it if the session has ended. */
export function FormError({ error, unsent = false }: FormErrorProps) {
  const shown = error && !isSignedOut(error) && `${errorSentence(error)} ${t.outbox.input_stays}`;
  if (!unsent) return <ErrorNote>{shown && <span ref={reveal}>{shown}</span>}</ErrorNote>;
  return (
    <ErrorNote tone="warn" icon="cloud-off">
      {t.outbox.unsent}
    </ErrorNote>
  );
}
