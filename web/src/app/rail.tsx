import { useQuery } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { accountQuery, activityUnreadQuery } from '../shared/account/account.api.ts';
import { product, t, formatNumber } from '../text/text.ts';
import { commands, keysOf } from '../ui/keys/commands.ts';
import { keyNames } from '../ui/keys/keys.ts';
import { Avatar } from '../ui/symbols/avatar.tsx';
import { Icon, Logo } from '../ui/symbols/icon.tsx';
import { KeyHint, useKeyboard } from '../ui/keys/keys-provider.tsx';
import { Link } from '../ui/urls/router.tsx';
import { ThemeButton } from '../ui/buttons/theme-button.tsx';
import './rail.css';
import { useLocation } from 'react-router';
import { inboxCountQuery, openOf, useAnsweringCount } from '../features/invitations/inbox-count.api.ts';
import { useTitleBadge } from '../ui/pages/page-title.ts';
import './navigation.css';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { Bdi } from '../ui/texts/rich.tsx';
import { useIsSettled } from '../ui/pages/use-is-settled.ts';
import { isAt, destinations, type Destination } from './destinations.ts';

/** It loads with the live stream. */
const ConnectionBadge = lazyPart(async () => (await import('./connection-badge.tsx')).ConnectionBadge, {
  isBackground: true,
});

export function Rail() {
  const keyboard = useKeyboard();
  const account = useQuery(accountQuery).data;
  const isSettled = useIsSettled();
  return (
    <header className="rail">
      <Link to="/" className="line rail-brand">
        <Logo />
        <span className="rail-wide">{product}</span>
      </Link>
      <button type="button" className="line rail-jump" onClick={() => keyboard.run('jump')}>
        <Icon name="search" />
        <span className="rail-wide">{t.shell.kit.jump}</span>
        <KeyHint keys={keyNames(keysOf('everywhere', 'jump')).join('')} />
      </button>
      <Navigation />
      {account && isSettled && <ConnectionBadge />}
      <div className="stack rail-foot">
        <div className="line gap-1 rail-aids">
          <ThemeButton look="quiet" label={t.shell.theme.label} names={t.shell.theme} />
          <button type="button" title={t.shell.help} onClick={() => keyboard.run('help')}>
            <span aria-hidden="true">?</span>
          </button>
        </div>
        {account && (
          <Link to="/account" className="line rail-user">
            <Avatar name={account.user_id} />
            <span className="rail-wide">
              <Bdi className="rail-name one-line">{account.user_id}</Bdi>
              <span className="rail-line numbers">{userLine(account)}</span>
            </span>
          </Link>
        )}
      </div>
    </header>
  );
}

function userLine({ swarms_owned, resources }: Account): string {
  const { devices, swarms } = t.shell.user;
  return [devices(resources), ...(swarms_owned > 0 ? [swarms(swarms_owned)] : [])].join(' · ');
}

/** Links to the destinations: in the rail, or in the bottom bar of a phone. */
function Navigation() {
  const { pathname } = useLocation();
  const badges: Partial<Record<Destination['id'], Badge | null>> = {
    invitations: useInboxBadge(),
    account: useActivityBadge(),
  };
  return (
    <nav className="navigation" aria-label={t.shell.navigation}>
      <ul>
        {destinations
          .map((destination) => ({ destination, badge: badges[destination.id] }))
          .map(({ destination, badge }) => (
            <li key={destination.to}>
              <Link
                to={badge?.to ?? destination.to}
                className="line gap-3 hoverable navigation-link"
                title={badge ? `${badge.count} ${badge.noun}` : undefined}
                aria-current={isAt({ destination, pathname }) ? 'page' : undefined}
              >
                <Icon name={commands.everywhere[destination.command].icon} size={20} />
                <span className="navigation-label">{t.shell.destinations[destination.id]}</span>
                {badge && (
                  <>
                    {' '}
                    <span className="badge numbers">{badge.count}</span>
                    <span className="visually-hidden"> {badge.noun}</span>
                  </>
                )}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

interface Badge {
  count: string;
  /** What is counted, for screen readers. */
  noun: string;
  /** Where that is, if the page has more. */
  to?: string;
}

/** How much needs an answer, without the invitations that are being answered. */
function useInboxBadge(): Badge | null {
  const isSignedIn = useQuery(accountQuery).data !== undefined;
  const { data: counts } = useQuery({ ...inboxCountQuery, enabled: isSignedIn });
  const badge = openOf(counts, useAnsweringCount('received'));
  const text = badge > 0 ? formatNumber(badge) : '';
  useTitleBadge(text);
  return text === '' ? null : { count: text, noun: t.shell.unanswered };
}

/** How many things other users did to this user's devices and swarms since the activity was opened. */
function useActivityBadge(): Badge | null {
  const isSignedIn = useQuery(accountQuery).data !== undefined;
  const unread = useQuery({ ...activityUnreadQuery, enabled: isSignedIn }).data ?? 0;
  if (unread === 0) return null;
  return { count: unread < 100 ? formatNumber(unread) : '99+', noun: t.shell.new_activity, to: '/account#activity' };
}
