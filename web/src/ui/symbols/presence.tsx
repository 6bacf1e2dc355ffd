import { use } from 'react';
import { t } from '../../text/text.ts';
import { Away } from '../browser/offline.ts';
import './presence.css';
import { Rich } from '../texts/rich.tsx';
import { Time } from '../texts/time.tsx';

/** In the order of the filters. */
export const presenceShapes = ['online', 'offline', 'silent', 'never'] as const;
export type PresenceShape = (typeof presenceShapes)[number];

interface Presence {
  state: PresenceShape;
  /** Absent only if the device was never heard. */
  heard_at?: string | undefined;
  /** It has an open connection, which is no sign of life. */
  connected?: boolean | undefined;
}

/** Without the server, nobody knows whether a device is still online: only when it was heard. */
export function useKnownState<State extends PresenceShape | undefined>(state: State) {
  return use(Away) && state === 'online' ? 'offline' : state;
}

/** Without the server, nobody knows how many devices are still online: these are shown as offline. */
export function useIsCounted(): (state: PresenceShape) => boolean {
  const isAway = use(Away);
  return (state) => !isAway || (state !== 'online' && state !== 'offline');
}

/** A device that was never heard has no dot. */
export function PresenceDot({ state }: { state: PresenceShape }) {
  return state !== 'never' && <span className={`presence presence-${state}`} aria-hidden="true" />;
}

/** "online · connected", "heard 3 min ago" or "silent since 14:02". */
export function PresenceText({ presence: { heard_at, connected, ...presence } }: { presence: Presence }) {
  const state = useKnownState(presence.state);
  return (
    <>
      <Rich
        text={t.shell.presence[state]}
        age={heard_at && <Time at={heard_at} form={state === 'silent' ? 'date' : 'relative'} />}
      />
      {connected && state === presence.state && ` · ${t.shell.connected}`}
    </>
  );
}

/** For the end of a row: "online", "never heard", or how long ago the device was heard. */
export function PresenceAge({ presence }: { presence: Presence }) {
  const { heard_at } = presence;
  const state = useKnownState(presence.state);
  if (state === 'online' || heard_at === undefined) return t.shell.presence[state];
  return (
    <>
      <span className="visually-hidden">
        <PresenceText presence={presence} />{' '}
      </span>
      <span aria-hidden="true">
        <Time at={heard_at} form="age" />
      </span>
    </>
  );
}
