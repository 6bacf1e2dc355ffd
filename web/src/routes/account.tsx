import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { sessionsQuery } from '../features/account/account-page.api.ts';
import { LocalMenu } from '../features/account/local-menu.tsx';
import { Profile } from '../features/account/profile.tsx';
import { Sessions } from '../features/account/sessions.tsx';
import { keysQuery } from '../features/keys/keys.api.ts';
import { Keys } from '../features/keys/keys.tsx';
import { accountQuery } from '../shared/account/account.api.ts';
import { t } from '../text/text.ts';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { JumpButton } from '../ui/pages/page-head.tsx';
import { usePageTitle } from '../ui/pages/page-title.ts';
import { SkeletonRows } from '../ui/pages/skeleton.tsx';
import './account.css';

const Foot = lazyPart(async () => (await import('./account-foot.tsx')).Foot, { Fallback: Loading });

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
  const queries = [useQuery(accountQuery), useQuery(keysQuery), useQuery(sessionsQuery)];
  // A box that gets its rows would move the boxes below it, so the first three are shown together.
  // A query that has failed is pending again while a box that appears fetches it.
  const isPending = queries.some((query) => query.isPending && !query.isFetched);
  const [isWhole, setWhole] = useState(false);
  useScrollToHash(isWhole);
  const [sections] = useState(sectionsOfPage);
  return (
    <div className="account">
      <header className="line spread account-head">
        <h1>{t.shell.destinations.account}</h1>
        <JumpButton />
      </header>
      <div className="account-columns">
        <LocalMenu sections={sections} isReady={isWhole} />
        {isPending ? (
          <Loading />
        ) : (
          <div className="stack gap-4 account-boxes">
            <Profile id="profile" />
            <Keys id="keys" />
            <Sessions id="sessions" />
            <Foot onShown={() => setWhole(true)} />
          </div>
        )}
      </div>
    </div>
  );
}

function Loading() {
  return <SkeletonRows count={6} badge={false} label={t.account.loading} />;
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
