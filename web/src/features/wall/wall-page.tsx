import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { usePlaceText } from '../../data/places/places.ts';
import { ProblemError } from '../../data/problem.ts';
import { t, formatNumber } from '../../text/text.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { phone as phoneQuery, useMedia } from '../../ui/browser/media.ts';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import { usePreference } from '../../ui/browser/preference.ts';
import { useIdle } from '../../ui/browser/use-idle.ts';
import { useVisible } from '../../ui/browser/use-visible.ts';
import { silenceSound, useSilenceSound } from './silence-sound.ts';
import { notLiveText, useLiveState } from './use-live-state.ts';
import { useWallBack } from './use-wall-back.ts';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';
import { WallClock } from './wall-clock.tsx';
import { WallCommands } from './wall-commands.ts';
import { everyLayer } from './wall-layers.ts';
import { LayersOff } from './wall-legend.tsx';
import './wall-page.css';
import { silentQuery } from './wall.api.ts';
import { WallPanel } from './wall-panel.tsx';
import { WallAlert } from './wall-parts.tsx';
import { WallBar, WallSheet } from './wall-phone.tsx';

interface WallParts {
  /** The map (use-wall-map-props.ts has what it shows). */
  map: ReactNode;
  /** The button of the saved views. */
  views: ReactNode;
}

/**
 * A full-screen map of devices that runs for days, with counts and the state of the connection. Over the map are a panel
 * on a desk, and a bar and a sheet on a phone.
 */
export function Wall({ map, views }: WallParts) {
  const { swarm, audience } = useWall('place');
  usePageTitle(swarm ? t.wall.title(swarm.name) : t.wall.everything_title);
  useWakeLock();
  const isPhone = useMedia(phoneQuery);
  const isIdle = useIdle(idleAfter);
  useWallBack();
  const { isOpen: withList } = useWall('list');
  const query = useWall('query');
  const hasSound = usePreference(silenceSound) === 'on';
  const reason = wallErrorOf({ error: query.error, hasCounts: query.data !== undefined });
  if (reason) {
    return (
      <div className="wall center wall-error">
        <WallError reason={reason} query={query} />
      </div>
    );
  }
  return (
    <div className={`wall${isIdle ? ' wall-idle' : ''}${withList ? ' wall-with-list' : ''}`}>
      <div className="wall-map">{map}</div>
      {isPhone ? <WallBar /> : <WallPanel views={views} />}
      <WallAlert />
      <WallNotice />
      {isPhone ? <WallSheet views={views} /> : <WallClock />}
      <WallAnnouncer />
      <WallCommands />
      {hasSound && <SilenceSound audience={audience} />}
    </div>
  );
}

function SilenceSound({ audience }: { audience: string }): null {
  useSilenceSound(useQuery(silentQuery(audience)).data);
  return null;
}

/** Explains why the map is empty. */
function WallNotice() {
  const { swarm } = useWall('place');
  const [, setUrl] = useWallUrl();
  const { counts, filters } = useWall('counts');
  if (!counts) return null;
  const { total, unplaced } = counts;
  if (total > unplaced) return filters === null && <LayersOff onShowAll={() => setUrl({ layers: everyLayer })} />;
  const none = swarm ? [t.wall.empty_swarm, t.wall.empty_swarm_text] : [t.wall.empty, t.wall.empty_text];
  const [title, text] = total === 0 ? none : [t.wall.nowhere, t.wall.nowhere_text(total)];
  return (
    <output className="line wraps wall-off wall-empty">
      <strong>{title}</strong>
      {text}
    </output>
  );
}

/** In ms. The pointer is hidden then. */
const idleAfter = 8000;

/** Keeps the screen on if the browser supports it. The browser releases the lock while the page is hidden. */
function useWakeLock(): void {
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible || !('wakeLock' in navigator)) return undefined;
    // Refused by a permissions policy or to save power: the screen may then turn off.
    const taken = navigator.wakeLock.request('screen').catch(() => undefined);
    return () => void taken.then((lock) => lock?.release());
  }, [isVisible]);
}

/** The reason why the wall cannot be shown, if any: deleted, no access, or not loaded. */
function wallErrorOf({ error, hasCounts }: { error: unknown; hasCounts: boolean }) {
  const status = error instanceof ProblemError ? error.problem.status : 0;
  if (status === 404) return 'not_found';
  if (status === 403) return 'left';
  return error && !hasCounts ? 'failed' : null;
}

interface WallErrorProps {
  reason: NonNullable<ReturnType<typeof wallErrorOf>>;
  query: ReturnType<typeof useWall<'query'>>;
}

function WallError({ reason, query }: WallErrorProps) {
  const { leaveTo } = useWall('place');
  if (reason === 'failed') {
    return (
      <LoadFailed level={1} title={t.wall.failed_title} query={query}>
        <ButtonLink to={leaveTo}>{t.wall.leave}</ButtonLink>
      </LoadFailed>
    );
  }
  const isMissing = reason === 'not_found';
  return (
    <div role="alert">
      <Empty
        level={1}
        icon={isMissing ? 'search' : 'eye-off'}
        title={isMissing ? t.wall.no_swarm : t.wall.left_title}
        text={isMissing ? t.wall.no_swarm_text : t.wall.left_text}
      >
        <ButtonLink to="/swarms">{t.wall.to_swarms}</ButtonLink>
      </Empty>
    </div>
  );
}

/** Changed counts are announced at most this often, in ms. */
const announceInterval = 60_000;

/** Announces the counts once a minute, and the connection status and devices opened by keys immediately. */
function WallAnnouncer() {
  const { audience } = useWall('place');
  const { counts, placed, isPart } = useWall('counts');
  const { stepped } = useWall('device');
  const place = usePlaceText(stepped?.position ?? null);
  const where = stepped?.position ? place : t.wall.no_position;
  const live = useLiveState(audience);
  const text = counts && placed !== undefined && t.wall.summary(formatNumber(placed), counts.total, isPart);
  const [said, setSaid] = useState({ text, at: 0 });
  useEffect(() => {
    if (text === said.text) return undefined;
    const wait = Math.max(0, said.at + announceInterval - Date.now());
    const timer = setTimeout(() => setSaid({ text, at: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [text, said]);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {said.text}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {stepped && where && `${stepped.name}, ${t.shell.machine_types[stepped.machine_type]}, ${where}`}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {live.state === 'live' && t.wall.now_live}
        {live.state === 'disconnected' && notLiveText(live)}
      </p>
    </>
  );
}
