import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type MouseEvent } from 'react';
import { applyChanges } from '../../data/stream/lazy-changes.ts';
import { leavePage } from '../../shared/account/session-tabs.ts';
import { t } from '../../text/text.ts';
import { Dialog, DiscardQuestion } from '../../ui/dialogs/dialog.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { hasUnsavedInput } from '../../ui/fields/unsaved-input.ts';
import { useFocusReturn } from '../../ui/browser/use-focus-restore.ts';
import { ProviderLinks } from './providers/provider-links.tsx';
import { SignInForm } from './sign-in-card.tsx';
import { signInOptionsQuery } from './sign-in.api.ts';
import { WaitingChanges } from './waiting-changes.tsx';

/** Why and when a session has ended. */
export interface WhyEnded {
  why: 'another' | 'expired' | 'signed_out' | 'revoked' | 'restored';
  at: string;
}

interface SignInAgainProps {
  user_id: string;
  title?: string;
  text?: string;
  ended?: WhyEnded;
  /** Set while the session is still valid. */
  onClose?(): void;
}

/**
 * Signs in again without leaving the page, which keeps its state and what was typed. Once the session has ended, the
 * page is covered: another person may be at the screen.
 */
export function SignInAgain({
  user_id,
  title = t.account.session.ended_title,
  text = t.account.session.ended_text,
  ended,
  onClose,
}: SignInAgainProps) {
  const client = useQueryClient();
  const focusReturn = useFocusReturn();
  const options = useQuery(signInOptionsQuery).data;
  const [isSecondStep, setSecondStep] = useState(false);
  const [hasInput] = useState(hasUnsavedInput);
  const [isAsking, setAsking] = useState(false);
  const askFirst = (event: MouseEvent) => {
    if (!hasInput) return;
    event.preventDefault();
    setAsking(true);
  };
  return (
    <Dialog size="small" title={title} description={text} cover={!onClose} {...(onClose && { onClose })}>
      {ended && (
        <p className="quiet">
          <Rich text={t.account.session.ended[ended.why]} age={<Time at={ended.at} />} />
        </p>
      )}
      <WaitingChanges user_id={user_id} />
      <div {...focusReturn}>
        {options?.passwords !== false && (
          <SignInForm
            mode="sign-in"
            user_id={user_id}
            isSecondStep={isSecondStep}
            onCodeNeeded={setSecondStep}
            onEntered={() => {
              onClose?.();
              applyChanges(client, { type: 'everything.changed', data: {} });
            }}
          />
        )}
      </div>
      {options && !isSecondStep && (
        <ProviderLinks providers={options.providers} next={location.pathname + location.search + location.hash} />
      )}
      <p>
        {/* Reloads the page, so that no data of another user stays in memory. */}
        <a href="/sign-in" onClick={askFirst}>
          {t.account.session.other_user}
        </a>
      </p>
      <p>
        {/* In another tab, this page keeps its input, and is shown again after the sign-in there. */}
        <a href="/sign-in?lost=1" target={hasInput ? '_blank' : undefined}>
          {t.account.recovery.lost}
        </a>
      </p>
      {isAsking && <DiscardQuestion onDiscard={leavePage} onStay={() => setAsking(false)} />}
    </Dialog>
  );
}
