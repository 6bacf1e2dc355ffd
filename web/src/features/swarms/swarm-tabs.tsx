import '../../ui/pages/tabs.css';
import { useLayoutEffect, useRef } from 'react';
import { formatNumber, t } from '../../text/text.ts';
import { Link } from '../../ui/urls/router.tsx';
import { textCodec, useUrlState } from '../../ui/urls/url-state.ts';
import { managesSwarm } from './swarm-rights.ts';
import { useShownSwarm } from './use-shown-swarm.ts';

const tabs = ['members', 'messages', 'values', 'audience', 'invitations', 'links', 'settings'] as const;
type Tab = (typeof tabs)[number];
/** The tabs of those who do not manage the swarm. */
const memberTabs: readonly Tab[] = ['members', 'messages', 'values', 'audience'];
const watcherTabs: readonly Tab[] = [...memberTabs, 'settings'];
const tabUrl = textCodec('tab');

/** The tabs of the swarm that the user has, and the one that the URL names. */
export function useSwarmTab(): { shown: readonly Tab[]; tab: Tab } {
  const { swarm } = useShownSwarm();
  const [url] = useUrlState(tabUrl);
  const shown = managesSwarm(swarm) ? tabs : swarm.relation === 'watcher' ? watcherTabs : memberTabs;
  return { shown, tab: shown.find((known) => known === url.tab) ?? 'members' };
}

export function SwarmTabs() {
  const { swarm } = useShownSwarm();
  const { shown, tab } = useSwarmTab();
  const { new: open, requests } = swarm.invitations ?? { new: 0, requests: 0 };
  const counts: Partial<Record<Tab, number>> = { members: swarm.member_count, invitations: open + requests };
  const nav = useRef<HTMLElement>(null);
  // Where there is little space, the tabs scroll sideways.
  useLayoutEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>(`a:nth-child(${shown.indexOf(tab) + 1})`);
    if (!nav.current || !current) return;
    const middle = (nav.current.clientWidth - current.offsetWidth) / 2;
    nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft - middle;
  }, [shown, tab]);
  return (
    <nav ref={nav} className="tabs swarm-tabs" aria-label={t.swarms.page.parts}>
      {shown.map((known) => (
        <Link
          key={known}
          to={known === 'members' ? `/swarms/${swarm.id}` : `/swarms/${swarm.id}?tab=${known}`}
          replace
          className="tab"
          aria-current={known === tab ? 'page' : undefined}
        >
          {t.swarms.page.tabs[known]}
          {counts[known] !== undefined && <span className="tab-count numbers">{formatNumber(counts[known])}</span>}
        </Link>
      ))}
    </nav>
  );
}
