import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isUnreachable } from '../../data/problem.ts';
import { serverTime } from '../../data/server-clock.ts';
import { useConnectionStatus } from '../../data/stream/connection-status.ts';
import { formatEnd } from '../../shared/ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { useClock } from '../../ui/texts/time.tsx';
import { useEventListener } from '../../ui/browser/use-event-listener.ts';
import { wallQuery } from './wall.api.ts';

interface LiveState {
  state: 'starting' | 'live' | 'disconnected';
  /** Since when the connection was interrupted, in ms of the local clock. */
  since: number;
}

/**
 * Counts arrive every few seconds. Without them for this many ms, the server is away, even if the stream looks open.
 */
const silenceLimit = 12_000;

interface LiveStateOptions {
  /** The status of the event stream. */
  live: boolean;
  disconnectedAt: number | null;
  /** The time of the last response with counts; 0 if there was none. */
  answeredAt: number;
  /** The time since when the page is visible. It does not fetch while it is hidden. */
  visibleSince: number;
  /** The last request for counts got no response. */
  away: boolean;
  now: number;
}

/** With the day of `since`, if that is another one than now: by the clock that the wall shows, which is the server's. */
export const notLiveText = ({ since, now }: { since: number; now: number }): string =>
  t.wall.not_live(formatEnd(new Date(serverTime(since)).toISOString(), serverTime(now)));

/** The connection status of a wall. A broken connection may not close the stream, so missing responses count too. */
export function liveStateOf({
  live,
  disconnectedAt,
  answeredAt,
  visibleSince,
  away,
  now,
}: LiveStateOptions): LiveState {
  const closedAt = live ? null : disconnectedAt;
  // The stream of a server that answers nothing is closed later: the time since when must not change then.
  const isSilent = (closedAt ?? now) - Math.max(answeredAt, visibleSince) > silenceLimit;
  if (answeredAt > 0 && (isSilent || (away && closedAt === null))) return { state: 'disconnected', since: answeredAt };
  if (closedAt !== null) return { state: 'disconnected', since: closedAt };
  return { state: live ? 'live' : 'starting', since: 0 };
}

/** Whether the wall is up to date, checked every second. */
export function useLiveState(audience: string): LiveState & { now: number } {
  const connection = useConnectionStatus();
  const now = useClock({ read: Date.now, everyMs: 1000 });
  const [visibleSince, setVisibleSince] = useState(now);
  useEventListener(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') setVisibleSince(Date.now());
  });
  const { dataUpdatedAt = 0, error = null } = useQueryClient().getQueryState(wallQuery(audience).queryKey) ?? {};
  const away = isUnreachable(error);
  return { ...liveStateOf({ ...connection, answeredAt: dataUpdatedAt, visibleSince, away, now }), now };
}
