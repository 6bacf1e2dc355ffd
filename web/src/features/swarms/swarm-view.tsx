import '../../ui/tabs.css';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { useCommands } from '../../ui/keys-provider.tsx';
import { lazyPart } from '../../ui/lazy.tsx';
import { phone as phoneQuery, useMedia } from '../../ui/media.ts';
import { Link } from '../../ui/router.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { textCodec, useUrlState } from '../../ui/url-state.ts';
import { MembersTab } from './members/members-tab.tsx';
import { AskWithMore } from './requests/ask-to-join.tsx';
import { SwarmHead } from './swarm-head.tsx';
import { DestroySwarm } from './destroy-swarm.tsx';
import { managesSwarm } from './swarm-rights.ts';
import type { SwarmRead } from './swarms.api.ts';

const Loading = () => <SkeletonRows count={6} label={t.swarms.loading} />;
const AudienceBox = lazyPart(async () => (await import('../../shared/audience/audience-box.tsx')).AudienceBox, Loading);
const BoardTab = lazyPart(async () => (await import('./board/board-tab.tsx')).BoardTab, Loading);
const BlockedUsers = lazyPart(async () => (await import('./requests/blocked-users.tsx')).BlockedUsers);
const LinksTab = lazyPart(async () => (await import('./links/links-tab.tsx')).LinksTab, Loading);
const ManagersBox = lazyPart(async () => (await import('./managers/managers-box.tsx')).ManagersBox, Loading);
const SilenceNoticesBox = lazyPart(async () => (await import('./silence-notices.tsx')).SilenceNoticesBox);
const StopWatching = lazyPart(async () => (await import('./managers/managers-box.tsx')).StopWatching);
const Offers = lazyPart(async () => (await import('./managers/offers.tsx')).Offers);
const SettingsTab = lazyPart(async () => (await import('./settings-tab.tsx')).SettingsTab, Loading);

const tabs = ['members', 'messages', 'audience', 'invitations', 'links', 'settings'] as const;
type Tab = (typeof tabs)[number];
/** The tabs of those who do not manage the swarm. */
const memberTabs: readonly Tab[] = ['members', 'messages', 'audience'];
const watcherTabs: readonly Tab[] = [...memberTabs, 'settings'];
const tabUrl = textCodec('tab');
interface SwarmViewProps {
  read: SwarmRead;
  user_id: string;
  /** Of the members. */
  map: ReactNode;
  addDevice: ReactNode;
  messages: ReactNode;
  activity: ReactNode;
}

/** The page of a swarm for its owner, its managers and watchers, and its members. */
export function SwarmView({ read, user_id, map, addDevice, messages, activity }: SwarmViewProps) {
  const { swarm } = read;
  const navigate = useNavigate();
  const phone = useMedia(phoneQuery);
  const [url] = useUrlState(tabUrl);
  /** `release` allows leaving without a question about unsaved changes. */
  const [destroying, setDestroying] = useState<{ release(): void } | null>(null);
  const mine = swarm.relation === 'owner';
  const manages = managesSwarm(swarm);
  const shownTabs = manages ? tabs : swarm.relation === 'watcher' ? watcherTabs : memberTabs;
  const tab = shownTabs.find((known) => known === url.tab) ?? 'members';
  useCommands('own_swarm', {
    invite: manages && (() => void navigate(`/invite?swarm=${swarm.id}`)),
    delete: mine && (() => setDestroying({ release: () => undefined })),
  });
  const nav = <Tabs swarm={swarm} shown={shownTabs} tab={tab} />;
  return (
    <div className="page swarm-page">
      <SwarmHead swarm={swarm} mine={mine} manages={manages}>
        {swarm.relation === 'watcher' && <StopWatching swarm_id={swarm.id} user_id={user_id} />}
        {!manages && swarm.may_ask && <AskWithMore swarm={swarm} addDevice={addDevice} />}
      </SwarmHead>
      {!mine && <Offers user_id={user_id} swarm_id={swarm.id} />}
      {tab === 'members' && <Description text={swarm.description} />}
      {!(phone && tab === 'members') && nav}
      {tab === 'members' && <MembersTab {...{ swarm, user_id, phone, map }} tabs={phone && nav} />}
      {tab === 'messages' && messages}
      {tab === 'audience' && (
        <div className="page-scroll">
          <div className="swarm-body">
            <AudienceBox of={{ swarm_id: swarm.id }} user_id={user_id} />
          </div>
        </div>
      )}
      {tab === 'invitations' && <BoardTab swarm={swarm} phone={phone} />}
      {tab === 'links' && <LinksTab swarm={swarm} />}
      {tab === 'settings' &&
        (mine ? (
          <SettingsTab
            key={swarm.id}
            {...{ read, activity }}
            managers={
              <>
                <ManagersBox swarm={swarm} user_id={user_id} />
                <SilenceNoticesBox swarm_id={swarm.id} />
              </>
            }
            onDestroy={(release) => setDestroying({ release })}
          />
        ) : (
          <div className="page-scroll">
            <div className="swarm-body">
              {manages && <ManagersBox swarm={swarm} user_id={user_id} />}
              <SilenceNoticesBox swarm_id={swarm.id} />
              {manages && <BlockedUsers swarm_id={swarm.id} />}
            </div>
          </div>
        ))}
      {destroying && (
        <DestroySwarm
          swarm={swarm}
          onClose={() => setDestroying(null)}
          onDestroy={() => {
            destroying.release();
            void navigate('/swarms', { replace: true });
          }}
        />
      )}
    </div>
  );
}

/** In one line, because the members need the height; a click shows all of it. */
function Description({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (text === '') return null;
  return (
    <button
      type="button"
      className={isOpen ? 'quiet hoverable swarm-about' : 'quiet hoverable swarm-about one-line'}
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      <bdi>{text}</bdi>
    </button>
  );
}

function Tabs({ swarm, shown, tab }: { swarm: SwarmItem; shown: readonly Tab[]; tab: Tab }) {
  const { new: open, requests } = swarm.invitations ?? { new: 0, requests: 0 };
  const counts: Partial<Record<Tab, number>> = { members: swarm.member_count, invitations: open + requests };
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs scroll sideways.
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
