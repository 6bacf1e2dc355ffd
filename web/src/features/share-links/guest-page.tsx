import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { SharedDevice } from '@swarmdeck/bff/contract';
import { minuteMs } from '@swarmdeck/bff/durations';
import type { ShownTrack } from '../../data/cache/track.ts';
import { observeServerTime } from '../../data/server-clock.ts';
import { EndTime } from '../../shared/ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { Empty } from '../../ui/pages/empty.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { mapsLink } from '../../ui/urls/maps-link.ts';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import { PositionFacts } from '../../ui/symbols/position-facts.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { DeviceSelect } from './device-select.tsx';
import { GuestMapProvider, GuestSwarmMapProvider } from './guest-parts.ts';
import { connecting, followLink, type GuestState, type Opened } from './guest-stream.ts';
import './guest-page.css';

interface GuestPageProps {
  code: string;
  /** The map of one device. */
  map: ReactNode;
  /** The map of many devices. */
  swarmMap: ReactNode;
}

/** What somebody sees who has a link, without an account: one device on a map, or those of a swarm, and until when. */
export function GuestPage({ code, map, swarmMap }: GuestPageProps) {
  const [state, setState] = useState<GuestState>(connecting);
  useEffect(() => followLink(code, setState), [code]);
  const { seen } = state;
  const sent = seen?.now;
  useEffect(() => {
    if (sent !== undefined) observeServerTime({ date: sent, now: Date.now() });
  }, [sent]);
  const [device] = seen?.shows === 'device' ? seen.devices.values() : [];
  usePageTitle(device?.name ?? (seen ? t.share_links.guest.title_of_many : t.share_links.guest.title));
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
  if (seen.shows === 'swarm') return <SharedSwarm state={state} seen={seen} map={swarmMap} />;
  if (!device) return null;
  return (
    <main className="guest">
      <GuestMap device={device} track={seen.track}>
        {map}
      </GuestMap>
      <section className="guest-card">
        <h1 className="guest-name">
          <Bdi>{device.name}</Bdi>
        </h1>
        <SharedBy seen={seen} />
        <Where device={device} />
        <Live state={state} device={device} />
      </section>
    </main>
  );
}

/** All devices on a map and in a list. Where one is, is shown when it is selected. */
function SharedSwarm({ state, seen, map }: { state: GuestState; seen: Opened; map: ReactNode }) {
  const { devices } = seen;
  const [selected, setSelected] = useState<number | null>(null);
  const device = selected === null ? undefined : devices.get(selected);
  const shown = device?.key ?? null;
  const texts = t.share_links.guest;
  return (
    <main className="guest">
      <div className="guest-map">
        <GuestSwarmMapProvider devices={devices} selected={shown} onSelect={setSelected}>
          {map}
        </GuestSwarmMapProvider>
      </div>
      <section className="guest-card">
        <h1 className="guest-name">{device ? <Bdi>{device.name}</Bdi> : texts.title_of_many}</h1>
        <SharedBy seen={seen} />
        {devices.size > 0 && <DeviceSelect devices={devices} selected={shown} onSelect={setSelected} />}
        {device ? (
          <Where device={device} />
        ) : (
          <p className="numbers">
            {texts.devices(devices.size)} {devices.size > 0 && texts.choose}
          </p>
        )}
        <Live state={state} device={device} />
      </section>
    </main>
  );
}

function SharedBy({ seen }: { seen: Opened }) {
  return (
    <p>
      <Rich
        text={t.share_links.guest.shared_by}
        user={<Bdi>{seen.shared_by}</Bdi>}
        date={<EndTime at={seen.expires_at} />}
      />
    </p>
  );
}

function Live({ state, device }: { state: GuestState; device: SharedDevice | undefined }) {
  return (
    <output className={state.phase === 'live' ? 'line wraps guest-live' : 'line warn'}>
      {state.phase === 'live' && device ? <Age located_at={device.located_at} /> : <State state={state} />}
    </output>
  );
}

/** Where the device is, how old that is, and how exact. */
function Where({ device }: { device: SharedDevice }) {
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

function State({ state: { phase, why } }: { state: GuestState }) {
  const texts = t.share_links.guest;
  if (phase === 'live')
    return (
      <>
        <Icon name="check" size={16} /> {texts.live}
      </>
    );
  if (phase === 'connecting') return texts.connecting;
  return why === 'busy' ? texts.busy : navigator.onLine ? texts.lost : texts.offline;
}

/** In ms. Of an older position, guests should not think that the device is there now. */
const liveMs = 5 * minuteMs;

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

interface GuestMapProps {
  device: SharedDevice;
  track: Opened['track'];
  children: ReactNode;
}

/** The map, once there was a position. */
function GuestMap({ device, track, children }: GuestMapProps) {
  const { position, accuracy, ...rest } = device;
  const { latitude, longitude } = position ?? {};
  // It is the same object until the position changes, because a new one would move the map.
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

/** Shown also for a code that was never given out, because nobody can tell the two apart. */
function Ended({ seen, isOver }: { seen: Opened | undefined; isOver: boolean }) {
  const texts = t.share_links.guest;
  const text = !seen ? (
    texts.ended_text
  ) : isOver ? (
    <Rich
      text={texts.expired_text}
      user={<Bdi>{seen.shared_by}</Bdi>}
      date={<Time at={seen.expires_at} form="date_time" />}
    />
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
