import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import { formatAge, formatDate, formatDateTime, formatRelative } from '../../text/text.ts';
import { useEventListener } from '../browser/use-event-listener.ts';

const Now = createContext<number | null>(null);

/** Ages are updated this often, in ms; not while the page is hidden. */
const beat = 5000;

/** Updates all ages on the page together, by the server's clock. */
export function NowProvider({ children }: { children: ReactNode }) {
  const now = useClock({ read: serverNow, everyMs: beat });
  return <Now value={now}>{children}</Now>;
}

/** A time that is read again every `everyMs` while the page is visible. Null stops it. */
export function useClock({ read, everyMs }: { read(): number; everyMs: number | null }): number {
  const [{ now, interval }, setState] = useState(() => ({ now: read(), interval: everyMs }));
  if (interval !== everyMs) setState({ now: read(), interval: everyMs });
  const tick = () => {
    if (document.visibilityState === 'visible') setState({ now: read(), interval: everyMs });
  };
  const onTimer = useEffectEvent(tick);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => onTimer(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  useEventListener(everyMs === null ? null : document, 'visibilitychange', tick);
  return now;
}

/** The server's clock in ms, as of the last update. */
export function useNow(): number {
  return given(use(Now));
}

function given(now: number | null): number {
  if (now === null) throw new Error('NowProvider is missing');
  return now;
}

/** Whether an ISO time has passed. Without one, the component does not render as time passes: `use` may be called conditionally. */
export function useIsPast(at: string | undefined): boolean {
  return at !== undefined && Date.parse(at) <= given(use(Now));
}

/** `at` is an ISO time, `now` the server's clock in ms. */
const formats = { age: formatAge, relative: formatRelative, date: formatDate, date_time: formatDateTime };

/** A time in the user's language and time zone. The title has it in UTC. */
export function Time({ at, form = 'relative' }: { at: string; form?: keyof typeof formats }) {
  const now = useNow();
  const utc = new Date(at).toISOString();
  return (
    <time className="numbers" dateTime={utc} title={`${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC`}>
      {formats[form](at, now)}
    </time>
  );
}
