import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { serverNow } from '../../data/server-clock.ts';
import { accountQuery } from '../../shared/account/account.api.ts';
import { hasSignedOut, isKept, remembered, wasRestored } from '../../shared/account/session-tabs.ts';
import { usePreference } from '../../ui/preference.ts';
import { SignInAgain, type WhyEnded } from './sign-in-again.tsx';

/** Covers the page. Unless it is known when the session ended, that is when the page noticed it. */
export function SessionEnded({ account: { user_id, session_expires_at } }: { account: Account }) {
  const [ended] = useState((): WhyEnded => {
    const isExpired = Date.parse(session_expires_at) <= serverNow();
    const why = isKept()
      ? 'another'
      : isExpired
        ? 'expired'
        : wasRestored()
          ? 'restored'
          : hasSignedOut()
            ? 'signed_out'
            : 'revoked';
    return { why, at: why === 'expired' ? session_expires_at : new Date(serverNow()).toISOString() };
  });
  // No query polls here, but this one notices that the user has signed in again. Another tab says so at once.
  const { refetch } = useQuery({ ...accountQuery, refetchIntervalInBackground: true });
  const isBack = usePreference(remembered) === 'yes';
  useEffect(() => {
    if (isBack) void refetch();
  }, [isBack, refetch]);
  return <SignInAgain user_id={user_id} ended={ended} />;
}
