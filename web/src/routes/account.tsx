import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { sessionsQuery } from '../features/account/account-page.api.ts';
import { keysQuery } from '../features/keys/keys.api.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { ActivityBox } from '../features/activity/activity-box.tsx';
import { newestActivityQuery } from '../features/activity/activity.api.ts';
import { DeleteAccount } from '../features/account/delete-account.tsx';
import { Keys } from '../features/keys/keys.tsx';
import { LocalMenu } from '../features/account/local-menu.tsx';
import { Preferences } from '../features/account/preferences.tsx';
import { Profile } from '../features/account/profile.tsx';
import { passkeysQuery } from '../features/sign-in/passkeys/passkeys.api.ts';
import { identitiesQuery } from '../features/sign-in/providers/providers.api.ts';
import { RecoveryBox } from '../features/sign-in/recovery/recovery-box.tsx';
import { recoveryCodesQuery } from '../features/sign-in/recovery/recovery.api.ts';
import { totpQuery } from '../features/sign-in/second-factor/totp.api.ts';
import { SigningInBox } from '../features/sign-in/signing-in-box.tsx';
import { signInOptionsQuery } from '../features/sign-in/sign-in.api.ts';
import { Sessions } from '../features/account/sessions.tsx';
import { Usage } from '../features/account/usage.tsx';
import { Webhook } from '../features/account/webhook.tsx';
import { t } from '../text/text.ts';
import { JumpButton } from '../ui/page-head.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import './account.css';

const sectionsOfPage = () => [
  { id: 'profile', label: t.account.profile.title },
  { id: 'keys', label: t.account.keys.title },
  { id: 'sessions', label: t.account.sessions.title },
  { id: 'signing-in', label: t.account.signing_in },
  { id: 'recovery', label: t.account.recovery.title },
  { id: 'activity', label: t.activity.title },
  { id: 'webhook', label: t.account.webhook.title },
  { id: 'usage', label: t.account.usage.title },
  { id: 'preferences', label: t.account.preferences.title },
  { id: 'delete', label: t.account.remove.title, danger: true },
];

export function Component() {
  usePageTitle(t.shell.destinations.account);
  const queries = [
    useQuery(accountQuery),
    useQuery(keysQuery),
    useQuery(sessionsQuery),
    useQuery(passkeysQuery),
    useQuery(totpQuery),
    useQuery(identitiesQuery),
    useQuery(signInOptionsQuery),
    useQuery(recoveryCodesQuery),
    useInfiniteQuery(newestActivityQuery()),
  ];
  // a box that gets its rows would move the boxes below it, so all boxes are shown together
  // a query that has failed is pending again while a box that appears fetches it
  const isPending = queries.some((query) => query.isPending && !query.isFetched);
  useScrollToHash(!isPending);
  const [sections] = useState(sectionsOfPage);
  return (
    <div className="account">
      <header className="line spread account-head">
        <h1>{t.shell.destinations.account}</h1>
        <JumpButton />
      </header>
      <div className="account-columns">
        <LocalMenu sections={sections} isReady={!isPending} />
        {isPending ? (
          <SkeletonRows count={6} badge={false} label={t.account.loading} />
        ) : (
          <div className="stack gap-4 account-boxes">
            <Profile id="profile" />
            <Keys id="keys" />
            <Sessions id="sessions" />
            <SigningInBox id="signing-in" />
            <RecoveryBox id="recovery" />
            <ActivityBox id="activity" />
            <Webhook id="webhook" />
            <Usage id="usage" />
            <Preferences id="preferences" />
            <DeleteAccount id="delete" />
          </div>
        )}
      </div>
    </div>
  );
}

/** Scrolls to the box that the URL names, once the boxes are there. After a navigation the page is at its top. */
function useScrollToHash(isReady: boolean) {
  const location = useLocation();
  useEffect(() => {
    if (location.hash === '' || !isReady) return undefined;
    const frame = requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [location, isReady]);
}
