import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import './managers.css';

interface OfferRowProps {
  title: ReactNode;
  /** What is offered, beside its name. */
  about?: ReactNode;
  text: ReactNode;
  error: Error | null;
  /** The label of the button that accepts. */
  accept: string;
  isAccepting: boolean;
  isBusy: boolean;
  onAccept(): Promise<void>;
  onDecline(): void;
  /** More ways to accept, between the two answers. */
  children?: ReactNode;
}

/** What another user offers to this one, with its two answers. */
export function OfferRow({
  title,
  about,
  text,
  error,
  accept,
  isAccepting,
  isBusy,
  onAccept,
  onDecline,
  children,
}: OfferRowProps) {
  // The buttons of an answered offer are removed.
  const focusRestore = useFocusRestore(() => document.querySelector('main')?.focus({ preventScroll: true }));
  return (
    <li className="box-row wraps managers-row" {...focusRestore}>
      <div className="box-row-words">
        <h3 className="offers-title">{title}</h3>
        {about && <p className="lines">{about}</p>}
        <p className="quiet">{text}</p>
        <ActionError error={error} />
      </div>
      <div className="line wraps">
        <Button
          size="small"
          look="primary"
          sends
          busy={isAccepting}
          disabled={isBusy && !isAccepting}
          onClick={() => void onAccept().catch(() => undefined)}
        >
          {accept}
        </Button>
        {children}
        <Button size="small" sends disabled={isBusy} onClick={onDecline}>
          {t.managers.decline}
        </Button>
      </div>
    </li>
  );
}
