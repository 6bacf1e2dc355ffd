import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { serverNow } from '../../data/server-clock.ts';
import { accountQuery } from '../../shared/account/account.api.ts';
import { hasSignedOut, remembered, useIsKept, wasRestored } from '../../shared/account/session-tabs.ts';
import { usePreference } from '../../ui/browser/preference.ts';
import { SignInAgain, type WhyEnded } from './sign-in-again.tsx';

/** Covers the page. Unless it is known when the session ended, that is when the page noticed it. */
export function SessionEnded({ account: { user_id, session_expires_at } }: { account: Account }) {
  const noticed = (why: WhyEnded['why']) => ({ why, at: new Date(serverNow()).toISOString() });
  const isOther = useIsKept();
  const [ended, setEnded] = useState((): WhyEnded => {
    if (isOther) return noticed('another');
    if (Date.parse(session_expires_at) <= serverNow()) return { why: 'expired', at: session_expires_at };
    return noticed(wasRestored() ? 'restored' : hasSignedOut() ? 'signed_out' : 'revoked');
  });
  // Somebody else may sign in after this user has signed out.
  if (isOther && ended.why !== 'another') setEnded(noticed('another'));
  // No query polls here, but this one notices that the user has signed in again. Another tab says so at once.
  const { refetch } = useQuery({ ...accountQuery, refetchIntervalInBackground: true });
  const isBack = usePreference(remembered) === 'yes';
  useEffect(() => {
    if (isBack) void refetch();
  }, [isBack, refetch]);
  return <SignInAgain user_id={user_id} ended={ended} />;
}
