import { useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { formatDateTime, t } from '../../text/text.ts';
import { Button, IconButton } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/toasts/notice.tsx';
import { useFocusReturn } from '../../ui/browser/use-focus-restore.ts';
import './session-ends.css';
import { SignInAgain } from './sign-in-again.tsx';

/** Announces that the session ends within a day, and renews it without leaving the page. */
export function SessionEnds({ account: { user_id, session_expires_at } }: { account: Account }) {
  const [state, setState] = useState<'shown' | 'renewing' | 'dismissed'>('shown');
  const focusReturn = useFocusReturn();
  const { ends_title, ends_text, renew } = t.account.session;
  if (state === 'dismissed') return null;
  return (
    <section className="session-ends" aria-label={t.account.session.region} {...focusReturn}>
      <Notice icon="clock" tone="warn" title={ends_title(formatDateTime(session_expires_at))} text={ends_text}>
        <Button onClick={() => setState('renewing')}>{renew}</Button>
        <IconButton icon="close" look="quiet" label={t.shell.kit.dismiss} onClick={() => setState('dismissed')} />
      </Notice>
      {state === 'renewing' && (
        <SignInAgain user_id={user_id} title={renew} text={ends_text} onClose={() => setState('shown')} />
      )}
    </section>
  );
}
