import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { ShownTrack } from '../../data/cache/track.ts';
import { observeServerTime } from '../../data/server-clock.ts';
import { EndTime } from '../../shared/ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { mapsLink } from '../../ui/maps-link.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { PositionFacts } from '../../ui/position-facts.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { GuestMapProvider } from './guest-parts.ts';
import { connecting, followLink, type GuestState, type Opened } from './guest-stream.ts';
import './guest-page.css';

/** What somebody sees who has a link, without an account: one device on a map, and until when. */
export function GuestPage({ code, map }: { code: string; map: ReactNode }) {
  const [state, setState] = useState<GuestState>(connecting);
  useEffect(() => followLink(code, setState), [code]);
  const { seen } = state;
  const sent = seen?.now;
  useEffect(() => {
    if (sent !== undefined) observeServerTime({ date: sent, now: Date.now() });
  }, [sent]);
  usePageTitle(seen?.device.name ?? t.share_links.guest.title);
  const isOver = useNow() >= Date.parse(seen?.expires_at ?? '');
  if (state.phase === 'ended' || isOver) return <Ended seen={seen} isOver={isOver} />;
  if (!seen)
    return (
      <main className="center guest-message">
        <output className="quiet">
          <State state={state} />
        </output>
      </main>
    );
  return (
    <main className="guest">
      <GuestMap seen={seen}>{map}</GuestMap>
      <section className="guest-card">
        <h1 className="guest-name">
          <Bdi>{seen.device.name}</Bdi>
        </h1>
        <p>
          <Rich
            text={t.share_links.guest.shared_by}
            user={<Bdi>{seen.shared_by}</Bdi>}
            date={<EndTime at={seen.expires_at} />}
          />
        </p>
        <Where seen={seen} />
        <output className={state.phase === 'live' ? 'line wraps guest-live' : 'line warn'}>
          <State state={state} />
        </output>
      </section>
    </main>
  );
}

/** Where the device is, how old that is, and how exact. */
function Where({ seen: { device } }: { seen: Opened }) {
  const { name, position, accuracy, located_at } = device;
  if (!position) return <p>{t.share_links.guest.no_position}</p>;
  return (
    <>
      <p>
        {located_at !== null && <Rich text={t.share_links.guest.located} age={<Time at={located_at} />} />}{' '}
        <a className="link" href={mapsLink(position, name)} target="_blank" rel="noreferrer">
          {t.share_links.guest.open_map}
        </a>
      </p>
      {accuracy !== null && <PositionFacts accuracy={accuracy} />}
    </>
  );
}

function State({ state: { phase, why, seen } }: { state: GuestState }) {
  const texts = t.share_links.guest;
  if (phase === 'live') return <Age located_at={seen?.device.located_at ?? null} />;
  if (phase === 'connecting') return texts.connecting;
  return why === 'busy' ? texts.busy : navigator.onLine ? texts.lost : texts.offline;
}

/** In ms. Of an older position, guests should not think that the device is there now. */
const liveMs = 5 * 60_000;

/** Whether the position is one of now: the stream is open also while the device sends none. */
function Age({ located_at }: { located_at: string | null }) {
  const texts = t.share_links.guest;
  const now = useNow();
  if (located_at === null) return texts.connected;
  // Its age is above: here it would be read aloud each minute.
  if (now - Date.parse(located_at) > liveMs) return texts.old;
  return (
    <>
      <Icon name="check" size={16} /> {texts.live}
    </>
  );
}

/** The map, once there was a position. */
function GuestMap({ seen: { device, track }, children }: { seen: Opened; children: ReactNode }) {
  const { position, accuracy, ...rest } = device;
  const { latitude, longitude } = position ?? {};
  // The same object until the position changes, because a new one would move the map.
  const at = useMemo(
    () => (latitude === undefined || longitude === undefined ? null : { latitude, longitude }),
    [latitude, longitude],
  );
  const shown = useMemo(
    (): ShownTrack | null =>
      track && at ? { points: track, end: at, chosen: null, choose: () => undefined, path: '' } : null,
    [track, at],
  );
  if (!at) return null;
  return (
    <div className="guest-map">
      <GuestMapProvider
        position={at}
        machine_type={rest.machine_type}
        name={rest.name}
        accuracy={accuracy ?? undefined}
        track={shown}
      >
        {children}
      </GuestMapProvider>
    </div>
  );
}

/** Also for a code that was never given out: nobody can tell the two. */
function Ended({ seen, isOver }: { seen: Opened | undefined; isOver: boolean }) {
  const texts = t.share_links.guest;
  const text = !seen ? (
    texts.ended_text
  ) : isOver ? (
    <Rich text={texts.expired_text} date={<Time at={seen.expires_at} form="date_time" />} />
  ) : (
    <Rich text={texts.ended_by} user={<Bdi>{seen.shared_by}</Bdi>} />
  );
  return (
    <main className="center guest-message" tabIndex={-1}>
      <div aria-live="polite">
        <Empty level={1} icon="eye" title={texts.ended} text={text} />
      </div>
    </main>
  );
}
