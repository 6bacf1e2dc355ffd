import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { answeringCount, subscribeToAnswering } from '../api/answering.ts';
import { accountQuery } from '../features/account/account.api.ts';
import { activityUnreadQuery } from '../features/account/activity-unread.api.ts';
import { inboxCountQuery } from '../features/invitations/inbox-count.api.ts';
import { formatNumber, t } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';
import { useTitleBadge } from '../ui/page-title.ts';
import { Link } from '../ui/router.tsx';
import './navigation.css';
import { isAt, destinations } from './destinations.ts';
import type { Destination } from './destinations.ts';

/** Links to the destinations: in the rail, or in the bottom bar of a phone. */
export function Navigation() {
  const { pathname } = useLocation();
  const badges: Partial<Record<Destination['id'], string>> = {
    invitations: useInboxBadge(),
    account: useActivityBadge(),
  };
  return (
    <nav className="navigation" aria-label={t.shell.navigation}>
      <ul>
        {destinations.map((destination) => (
          <li key={destination.to}>
            <Link
              to={destination.to}
              className="navigation-link"
              aria-current={isAt({ destination, pathname }) ? 'page' : undefined}
            >
              <Icon name={destination.icon} size={20} />
              {t.shell.destinations[destination.id]}
              {badges[destination.id] && (
                <>
                  {' '}
                  <span className="badge numbers">{badges[destination.id]}</span>
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many invitations need an answer, without those that are being answered. */
function useInboxBadge(): string {
  const isSignedIn = useQuery(accountQuery).data !== undefined;
  const open = useQuery({ ...inboxCountQuery, enabled: isSignedIn }).data?.received.new ?? 0;
  const badge = open - useSyncExternalStore(subscribeToAnswering, answeringCount);
  const text = badge > 0 ? formatNumber(badge) : '';
  useTitleBadge(text);
  return text;
}

/** How many things other users did to this user's devices and swarms since the activity was opened. */
function useActivityBadge(): string {
  const isSignedIn = useQuery(accountQuery).data !== undefined;
  const unread = useQuery({ ...activityUnreadQuery, enabled: isSignedIn }).data ?? 0;
  return unread === 0 ? '' : unread < 100 ? formatNumber(unread) : '99+';
}
