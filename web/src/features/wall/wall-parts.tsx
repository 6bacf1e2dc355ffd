import { t, formatNumber, formatRelative } from '../../text/text.ts';
import { Skeleton } from '../../ui/pages/skeleton.tsx';
import { TruncateMiddle } from '../../ui/texts/truncate-middle.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { CommandKey } from '../../ui/keys/keys-provider.tsx';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';
import { lastMove } from '../../data/stream/map-moves.ts';
import { Icon } from '../../ui/symbols/icon.tsx';
import { notLiveText, useLiveState } from './use-live-state.ts';
import { useClock } from '../../ui/texts/time.tsx';
import { serverNow } from '../../data/server-clock.ts';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import './wall-live.css';

export const WallCard = lazyPart(async () => (await import('./wall-card.tsx')).WallCard, { Fallback: LoadingCard });
export const WallList = lazyPart(async () => (await import('./wall-list.tsx')).WallList);

/** Keeps its place. */
function LoadingCard() {
  return <section className="stack gap-3 wall-card" aria-label={t.wall.selected} />;
}

/** The title of the wall. The name of its swarm may still be loading. */
export function WallTitle() {
  const { swarm } = useWall('place');
  if (!swarm) return <h1>{t.wall.everything}</h1>;
  return (
    <h1>
      {swarm.name === '' ? (
        <>
          <span className="visually-hidden">{t.account.loading}</span>
          <Skeleton width="140px" height="14px" />
        </>
      ) : (
        <TruncateMiddle text={swarm.name} />
      )}
    </h1>
  );
}

/** Toggles whether the map follows the selected device. */
export function FollowButton() {
  const [url] = useWallUrl();
  const { device, toggleFollow } = useWall('device');
  const able = url.selected !== null && device !== null;
  return (
    <Button
      icon="follow"
      aria-pressed={url.following}
      disabled={!able}
      focusableWhenDisabled
      title={able ? undefined : t.wall.follow_none}
      onClick={toggleFollow}
    >
      {url.following ? t.wall.following : t.wall.follow}
      <CommandKey scope="wall" id={url.following ? 'clear' : 'follow'} />
    </Button>
  );
}

/** The number of devices with a position and in total, without position, and changed recently. */
export function WallCounts() {
  const { counts, placed, isPart } = useWall('counts');
  if (!counts) return <Skeleton width="140px" height="26px" />;
  const { total, unplaced, changed } = counts;
  return (
    <div className="wall-counts numbers">
      <p className="muted wall-count">
        <strong>{placed === undefined ? '…' : formatNumber(placed)}</strong> {t.wall.of(formatNumber(total), isPart)}
      </p>
      <p className="quiet">
        <span>{t.wall.unplaced(formatNumber(unplaced))}</span>
        <span className="wall-counts-dot"> · </span>
        <span>{t.wall.changed(formatNumber(changed))}</span>
      </p>
    </div>
  );
}

/** The connection status. */
export function WallLive() {
  const { audience } = useWall('place');
  const live = useLiveState(audience);
  if (live.state !== 'live') {
    return (
      <p className={`line quiet wall-live wall-live-${live.state}`}>
        {live.state === 'disconnected' && <Icon name="cloud-off" size={16} />}
        {live.state === 'disconnected' ? notLiveText(live) : t.wall.starting}
      </p>
    );
  }
  return (
    <p className="line quiet wall-live">
      <span className="wall-live-dot" />
      <strong>{t.wall.live}</strong>
    </p>
  );
}

/** The age of the newest change. */
export function WallNewest() {
  const { audience } = useWall('place');
  const { counts } = useWall('counts');
  const now = useClock({ read: serverNow, everyMs: 1000 });
  const at = Math.max(lastMove(audience) ?? 0, Date.parse(counts?.newest ?? '') || 0);
  if (at === 0) return null;
  return (
    <p className="wall-newest quiet numbers">{t.wall.last_change(formatRelative(new Date(at).toISOString(), now))}</p>
  );
}

/**
 * Over the map, large enough to be read across a room: the connection is interrupted, when counts turn quiet, or devices are
 * silent. They are first in the list, which it opens.
 */
export function WallAlert() {
  const { audience } = useWall('place');
  const [{ layers }, setUrl] = useWallUrl();
  const { counts } = useWall('counts');
  const silent = layers.presence.includes('silent') ? (counts?.presence.silent ?? 0) : 0;
  const live = useLiveState(audience);
  if (live.state === 'disconnected')
    return (
      <p className="line gap-3 wall-alert wall-away" data-over-map>
        <Icon name="cloud-off" size={32} />
        {notLiveText(live)}
      </p>
    );
  if (silent === 0) return null;
  return (
    <button
      type="button"
      className="line gap-3 wall-alert wall-silent"
      data-over-map
      onClick={() => setUrl({ list: true })}
    >
      <Icon name="warning" size={32} />
      {t.wall.silent(silent)}
    </button>
  );
}
