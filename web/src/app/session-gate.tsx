import { focusManager, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { dayMs } from '@swarmdeck/bff/durations';
import { queryKeys } from '../data/cache/query-keys.ts';
import { loadFromNetwork } from '../data/network-page.ts';
import { errorSentence, isOtherPage, isUnreachable, isSignedOut } from '../data/problem.ts';
import { accountQuery, endSession } from '../shared/account/account.api.ts';
import {
  announceAccount,
  followSession,
  isKept,
  onSessionEnd,
  rememberFeed,
  remembered,
  wasRestored,
} from '../shared/account/session-tabs.ts';
import { t } from '../text/text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/pages/empty.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { useNow } from '../ui/texts/time.tsx';
import { useStaysForInput } from '../ui/fields/unsaved-input.ts';
import { useIsSettled } from '../ui/pages/use-is-settled.ts';
import type { SessionEndOptions } from './live.ts';

const live = () => import('./live.ts');
const Live = lazyPart(async () => (await live()).Live, { isBackground: true });
const parts = () => import('../features/sign-in/gate-parts.ts');
const SessionEnded = lazyPart(async () => (await parts()).SessionEnded);
const SessionEnds = lazyPart(async () => (await parts()).SessionEnds);
const RequiredPage = lazyPart(async () => (await parts()).RequiredPage);

/** The session may end before `Live` is loaded. */
const endInBrowser = async (options: SessionEndOptions) => (await live()).endInBrowser(options);

/** How long before its end a session is announced, in ms. */
const announced = dayMs;

interface SessionGateProps {
  /** Shown if nobody is signed in. Default: the page to sign in. */
  signedOut?: ReactNode;
  children: ReactNode;
}

/**
 * Pages are shown only with a session. If the session ends while a page is open, the page stays in memory, covered by
 * a dialog to sign in again: what was typed is not lost. After signing out it is closed.
 */
export function SessionGate({ signedOut: signedOutPage, children }: SessionGateProps) {
  const account = useQuery(accountQuery);
  const { error } = account;
  const { pathname, search, hash } = useLocation();
  const now = useNow();
  const signedOut = isSignedOut(error);
  const client = useQueryClient();
  // Stored by an earlier page: there is nothing on this one that the user could lose but what was typed since then.
  const isStored = client.getQueryState(queryKeys.account)?.dataUpdateCount === 0;
  const hasInput = useStaysForInput(signedOut);
  const data = signedOut && isStored && !hasInput ? undefined : account.data;
  const user_id = data?.user_id;
  // Until its page says that all is done: it may still show recovery codes.
  const [isRequired, setRequired] = useState(false);
  if (data?.second_factor && !isRequired) setRequired(true);

  // Before the sign-in is announced, which may end the session of another user.
  useEffect(() => onSessionEnd((end) => endInBrowser({ user_id, end })), [user_id]);
  useEffect(() => {
    if (signedOut) {
      // All tabs share it, and while this page is kept, another user is signed in.
      if (!isKept()) remembered.set('no');
    } else if (user_id !== undefined) void announceAccount(user_id, () => isSignedIn(client));
  }, [client, user_id, signedOut]);
  useEffect(() => {
    if (account.dataUpdatedAt > 0) rememberFeed();
  }, [account.dataUpdatedAt]);
  // Until the user signs in again, the page is covered and no query polls.
  useEffect(() => {
    if (!signedOut) return undefined;
    focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [signedOut]);
  const isSettled = useIsSettled();
  useEffect(() => followSession(user_id, () => endSession(client)), [client, user_id]);

  if (!data && signedOut) {
    if (signedOutPage) return signedOutPage;
    const next = pathname + search + hash;
    return <ToSignIn next={next === '/' ? undefined : next} />;
  }
  if (!data && error)
    return <Unreachable error={error} busy={account.isFetching} onRetry={() => void account.refetch()} />;
  if (!data && remembered.get() !== 'yes') return null;
  if (isRequired && !signedOut) return <RequiredPage onDone={() => setRequired(false)} />;
  return (
    <>
      {children}
      {/* It would slow down the first page. */}
      {user_id && isSettled && <Live key={user_id} user_id={user_id} />}
      {data && signedOut && <SessionEnded account={data} />}
      {data && !error && Date.parse(data.session_expires_at) - now < announced && (
        <SessionEnds key={data.session_expires_at} account={data} />
      )}
    </>
  );
}

/** Asks the server. Without an answer, the user counts as signed in. */
function isSignedIn(client: QueryClient): Promise<boolean> {
  return client.fetchQuery({ ...accountQuery, staleTime: 0 }).then(
    () => true,
    (error: unknown) => !isSignedOut(error),
  );
}

/**
 * If this browser had a session, `boot.js` has preloaded the page's data, which failed. The browser would use these
 * responses again after the sign-in, so they are left behind with the document.
 */
function ToSignIn({ next }: { next: string | undefined }) {
  const [before] = useState(() => remembered.get());
  const hadSession = before === 'yes';
  const why = wasRestored() ? 'restored' : hadSession ? 'ended' : undefined;
  const params = new URLSearchParams({ ...(next && { next }), ...(why && { [why]: '1' }) });
  const path = params.size > 0 ? `/sign-in?${params}` : '/sign-in';
  // Somebody who was never here and has a link to join has no account yet.
  const to = before === 'unknown' && next?.startsWith('/join/') ? `${path}&new=1` : path;
  useEffect(() => {
    if (!hadSession) return;
    remembered.set('no');
    location.replace(path);
  }, [hadSession, path]);
  return hadSession ? null : <Navigate to={to} replace />;
}

function Unreachable({ error, busy, onRetry }: { error: Error; busy: boolean; onRetry(): void }) {
  return (
    <main className="shell-main">
      <Empty
        level={1}
        icon="cloud-off"
        title={t.shell.unreachable.title}
        text={isUnreachable(error) ? t.shell.unreachable.start : errorSentence(error)}
      >
        {isOtherPage(error) && (
          <Button look="accent" onClick={loadFromNetwork}>
            {t.shell.unreachable.sign_in}
          </Button>
        )}
        <Button busy={busy} onClick={onRetry}>
          {t.shell.kit.retry}
        </Button>
      </Empty>
    </main>
  );
}
