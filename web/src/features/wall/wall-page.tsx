import { useEffect, useState, useMemo } from 'react';
import type { Device, Member, Resource } from '@swarmdeck/bff/contract';
import { usePlaceText } from '../../data/places/places.ts';
import { t, formatClock, formatNumber } from '../../text/text.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { insetsOf } from '../../ui/map-view-url.ts';
import { low as lowQuery, phone as phoneQuery, useMedia } from '../../ui/media.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useUnused } from '../../ui/use-unused.ts';
import { useVisible } from '../../ui/use-visible.ts';
import { useSilenceSound } from './silence-sound.ts';
import { useWall, type RenderWallMap, type WallState } from './use-wall.ts';
import { WallClock } from './wall-clock.tsx';
import { LayersOff, type LegendProps } from './wall-legend.tsx';
import type { WallSummary } from './wall.api.ts';
import './wall-page.css';
import { everyLayer } from './wall-layers.ts';
import { WallPanel } from './wall-panel.tsx';
import { WallAlert, type WallParts } from './wall-parts.tsx';
import { WallBar, WallSheet } from './wall-phone.tsx';
import { ProblemError } from '../../data/problem.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useLiveState } from './use-live-state.ts';

export interface WallProps extends Pick<WallParts, 'audience' | 'swarm' | 'leaveTo' | 'views'> {
  /** The selected device from the event stream. */
  liveDevice: Resource | undefined;
  renderMap: RenderWallMap;
}

/** A full-screen map of devices that runs for days, with counts and the state of the connection. */
export function Wall({ audience, swarm, leaveTo, views, liveDevice, renderMap }: WallProps) {
  usePageTitle(swarm ? t.wall.title(swarm.name) : t.wall.everything_title);
  useWakeLock();
  const wall = useWall({ audience, liveDevice });
  const phone = useMedia(phoneQuery);
  const low = useMedia(lowQuery);
  const idle = useUnused(idleAfter);
  /** What the bar and the sheet of a phone cover, in px. */
  const [top, setTop] = useState(0);
  const [bottom, setBottom] = useState(0);
  const { url, setUrl, counts } = wall;
  const reason = wallErrorOf({ error: counts.error, hasCounts: counts.data !== undefined });
  const insets = useWallInsets({ phone, low, top, bottom, withList: url.list });
  const known = counts.data?.building === undefined ? counts.data : undefined;
  useSilenceSound(known?.presence.silent);
  const legend: LegendProps = {
    counts: known,
    layers: url.layers,
    onLayers: wall.setLayers,
    withRoles: swarm !== null,
    byHeard: url.byHeard,
    onByHeard: (byHeard) => setUrl({ byHeard }),
  };
  const parts = { wall, audience, swarm, leaveTo, views, legend };
  if (reason) {
    return (
      <div className="wall center wall-error">
        <WallError reason={reason} query={counts} leaveTo={leaveTo} />
      </div>
    );
  }
  return (
    <div className={`wall${idle ? ' wall-idle' : ''}${url.list ? ' wall-with-list' : ''}`}>
      <div className="wall-map">{renderMap({ ...wall.onMap, label: t.wall.map, insets })}</div>
      {phone ? <WallBar {...parts} onCovered={setTop} /> : <WallPanel {...parts} low={low} />}
      <WallAlert
        audience={audience}
        silent={url.layers.presence.includes('silent') ? known?.presence.silent : undefined}
        onSilent={() => setUrl({ list: true })}
      />
      <WallNotice wall={wall} swarm={swarm !== null} />
      {phone ? <WallSheet {...parts} onCovered={setBottom} /> : <WallClock />}
      <WallAnnouncer counts={known} placed={wall.placed} audience={audience} stepped={wall.stepped} />
    </div>
  );
}

/** Explains why the map is empty. */
function WallNotice({ wall, swarm }: { wall: WallState; swarm: boolean }) {
  const { counts, nothingOn, setUrl } = wall;
  const { total, unplaced, building } = counts.data ?? {};
  if (total === undefined || unplaced === undefined || building !== undefined) return null;
  if (total > unplaced) return nothingOn && <LayersOff onShowAll={() => setUrl({ layers: everyLayer })} />;
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

/** The width of the panel with its margins, in px. */
const panel = 320;
const listPanel = 316;

interface WallInsetsOptions extends Record<'top' | 'bottom', number> {
  phone: boolean;
  /** The panel is small, so it covers only a corner. */
  low: boolean;
  /** The list is open. On a phone it is in the sheet. */
  withList: boolean;
}

/** The insets of the map: the panel on a large screen, the bar and the sheet on a phone. */
function useWallInsets({ phone, low, top, bottom, withList }: WallInsetsOptions) {
  const [start, end] = [low ? 0 : panel, withList ? listPanel : 0];
  return useMemo(() => insetsOf(phone ? { top, bottom } : { start, end }), [phone, top, bottom, start, end]);
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
  query: WallState['counts'];
  leaveTo: string;
}

function WallError({ reason, query, leaveTo }: WallErrorProps) {
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
function WallAnnouncer(props: {
  counts: WallSummary | undefined;
  placed: number | undefined;
  audience: string;
  stepped: Device | Member | null;
}) {
  const { counts, placed, audience, stepped } = props;
  const place = usePlaceText(stepped?.position ?? null);
  const where = stepped?.position ? place : t.wall.no_position;
  const live = useLiveState(audience);
  const text = counts && placed !== undefined && t.wall.summary(formatNumber(placed), counts.total);
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
        {live.state === 'disconnected' && t.wall.not_live(formatClock(live.since))}
      </p>
    </>
  );
}
