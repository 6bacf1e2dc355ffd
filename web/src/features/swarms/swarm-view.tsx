import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { CollectTyped, useCommands } from '../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { phone, useMedia } from '../../ui/browser/media.ts';
import { Note } from '../../ui/toasts/notice.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { useStaysForInput } from '../../ui/fields/unsaved-input.ts';
import { MembersTab } from './members/members-tab.tsx';
import { deskLayout } from './swarm-desk.tsx';
import { phoneLayout } from './swarm-phone.tsx';
import { managesSwarm } from './swarm-rights.ts';
import { useSwarmTab } from './swarm-tabs.tsx';
import type { SwarmRead } from './swarms.api.ts';
import { ShownSwarmProvider, useShownSwarm } from './use-shown-swarm.ts';

const Loading = () => <SkeletonRows count={6} label={t.swarms.loading} />;
const AskDialog = lazyPart(async () => (await import('./requests/ask-dialog.tsx')).AskDialog);
const AudienceBox = lazyPart(async () => (await import('../../shared/audience/audience-box.tsx')).AudienceBox, {
  Fallback: Loading,
});
const BoardTab = lazyPart(async () => (await import('./board/board-tab.tsx')).BoardTab, { Fallback: Loading });
const BlockedUsers = lazyPart(async () => (await import('./requests/blocked-users.tsx')).BlockedUsers);
const DestroySwarm = lazyPart(async () => (await import('./destroy-swarm.tsx')).DestroySwarm, {
  Fallback: CollectTyped,
});
const LinksTab = lazyPart(async () => (await import('./links/links-tab.tsx')).LinksTab, { Fallback: Loading });
const ManagersBox = lazyPart(async () => (await import('./managers/managers-box.tsx')).ManagersBox, {
  Fallback: Loading,
});
const RequestsBox = lazyPart(async () => (await import('./requests/requests-box.tsx')).RequestsBox);
const SilenceNoticesBox = lazyPart(async () => (await import('./silence-notices.tsx')).SilenceNoticesBox);
const StopWatching = lazyPart(async () => (await import('./managers/managers-box.tsx')).StopWatching);
const Offers = lazyPart(async () => (await import('./managers/offers.tsx')).Offers);
const SettingsTab = lazyPart(async () => (await import('./settings-tab.tsx')).SettingsTab, { Fallback: Loading });

interface SwarmViewProps {
  read: SwarmRead;
  /** The page only stays for what was typed in it. */
  isGone: boolean;
  user_id: string;
  /** The map of the members. */
  map: ReactNode;
  messages: ReactNode;
  values: ReactNode;
  /** For its owner. */
  shareLinks: ReactNode;
  activity: ReactNode;
}

/** The page of a swarm for its owner, its managers and watchers, and its members. */
export function SwarmView({ user_id, ...parts }: SwarmViewProps) {
  const { read } = parts;
  return (
    <ShownSwarmProvider swarm={read.swarm} user_id={user_id}>
      <View {...parts} />
    </ShownSwarmProvider>
  );
}

/** A dialog of the header or the settings. `release` allows leaving without a question about unsaved changes. */
type ShownDialog = { kind: 'ask' | 'stop_watching' } | { kind: 'delete'; release?: () => void };

function View({ read, isGone, map, messages, values, shareLinks, activity }: Omit<SwarmViewProps, 'user_id'>) {
  const { swarm, user_id } = useShownSwarm();
  const navigate = useNavigate();
  const { Head, Tabs } = useMedia(phone) ? phoneLayout : deskLayout;
  const { tab } = useSwarmTab();
  const [dialog, setDialog] = useState<ShownDialog | null>(null);
  const manages = managesSwarm(swarm);
  const mine = swarm.relation === 'owner';
  const close = () => setDialog(null);
  useCommands('own_swarm', {
    invite: manages && (() => void navigate(`/invite?swarm=${swarm.id}`)),
    delete: mine && (() => setDialog({ kind: 'delete' })),
  });
  return (
    <div className="page swarm-page">
      <Head
        onAsk={!manages && swarm.may_ask ? () => setDialog({ kind: 'ask' }) : undefined}
        onStopWatching={swarm.relation === 'watcher' ? () => setDialog({ kind: 'stop_watching' }) : undefined}
      />
      {isGone && (
        <Note tone="warn" icon="warning">
          {t.swarms.page.gone} <ButtonLink to="/swarms">{t.swarms.page.all}</ButtonLink>
        </Note>
      )}
      {!mine && <Offers user_id={user_id} swarm_id={swarm.id} />}
      {tab === 'members' && <Description text={swarm.description} />}
      <Tabs />
      {tab === 'members' && <MembersTab map={map} />}
      {tab === 'messages' && messages}
      {tab === 'values' && values}
      {tab === 'audience' && (
        <div className="page-scroll">
          <div className="swarm-body">
            <AudienceBox of={{ swarm_id: swarm.id }} user_id={user_id} />
            {mine && shareLinks}
          </div>
        </div>
      )}
      {tab === 'invitations' && <BoardTab />}
      {tab === 'links' && <LinksTab swarm={swarm} />}
      {tab === 'settings' && (
        <Settings read={read} activity={activity} onDestroy={(release) => setDialog({ kind: 'delete', release })} />
      )}
      {dialog?.kind === 'ask' && (
        <AskDialog swarm={swarm} onClose={close}>
          <RequestsBox swarm_id={swarm.id} box="sent" />
        </AskDialog>
      )}
      {dialog?.kind === 'stop_watching' && <StopWatching swarm_id={swarm.id} user_id={user_id} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <DestroySwarm
          swarm={swarm}
          onClose={close}
          onDestroy={() => {
            dialog.release?.();
            void navigate('/swarms', { replace: true });
          }}
        />
      )}
    </div>
  );
}

interface SettingsProps {
  read: SwarmRead;
  activity: ReactNode;
  onDestroy(release: () => void): void;
}

/** All settings for the owner, those of people for managers, and the notices of silence for watchers, too. */
function Settings({ read, activity, onDestroy }: SettingsProps) {
  const { swarm, user_id } = useShownSwarm();
  const managers = (
    <>
      {managesSwarm(swarm) && <ManagersBox swarm={swarm} user_id={user_id} />}
      <SilenceNoticesBox swarm_id={swarm.id} />
    </>
  );
  const isLost = swarm.relation !== 'owner';
  const stays = useStaysForInput(isLost);
  if (!isLost || stays) {
    return <SettingsTab key={swarm.id} read={read} activity={activity} managers={managers} onDestroy={onDestroy} />;
  }
  return (
    <div className="page-scroll">
      <div className="swarm-body">
        {managers}
        {managesSwarm(swarm) && <BlockedUsers swarm_id={swarm.id} />}
      </div>
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
      <Bdi>{text}</Bdi>
    </button>
  );
}
