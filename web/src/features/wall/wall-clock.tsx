import { useState } from 'react';
import { formatClockSeconds, formatNumber, t } from '../../text/text.ts';
import { useClock } from '../../ui/time.tsx';
import { serverNow } from '../../api/server-clock.ts';

/** The time of day and the time since the wall was opened, as a sign that it is running. */
export function WallClock() {
  const now = useClock({ read: serverNow, everyMs: 1000 });
  const [start] = useState(now);
  const shown = durationOf(now - start);
  const parts = shown
    ? ([
        [shown.days, t.wall.days],
        [shown.hours, t.wall.hours],
        [shown.minutes, t.wall.minutes],
      ] as const)
    : [];
  const text = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => unit(formatNumber(count)))
    .join(' ');
  return (
    <p className="wall-clock numbers" data-over-map>
      {formatClockSeconds(now)}
      {text !== '' && ` · ${t.wall.showing_for(text)}`}
    </p>
  );
}

interface Duration {
  days: number;
  hours: number;
  minutes: number;
}

/** A duration in its two largest units; null if it is less than a minute. */
export function durationOf(ms: number): Duration | null {
  const totalMinutes = Math.floor(ms / 60_000);
  if (totalMinutes < 1) return null;
  const days = Math.floor(totalMinutes / 1440);
  return { days, hours: Math.floor(totalMinutes / 60) % 24, minutes: days > 0 ? 0 : totalMinutes % 60 };
}
