import { t } from '../text/text.ts';
import './presence.css';
import { Rich } from './rich.tsx';
import { Time } from './time.tsx';

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

/** A device that was never heard has no dot. */
export function PresenceDot({ state }: { state: PresenceShape }) {
  return state !== 'never' && <span className={`presence presence-${state}`} aria-hidden="true" />;
}

/** "online · connected", "heard 3 min ago" or "silent since 14:02". */
export function PresenceText({ presence: { state, heard_at, connected } }: { presence: Presence }) {
  return (
    <>
      <Rich
        text={t.shell.presence[state]}
        age={heard_at && <Time at={heard_at} form={state === 'silent' ? 'date' : 'relative'} />}
      />
      {connected && ` · ${t.shell.connected}`}
    </>
  );
}

/** For the end of a row: "online", "never heard", or how long ago the device was heard. */
export function PresenceAge({ presence }: { presence: Presence }) {
  const { state, heard_at } = presence;
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
