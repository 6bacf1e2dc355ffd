import { useState } from 'react';
import { minuteMs } from '@swarmdeck/bff/durations';
import { formatClockSeconds } from '../../text/formats.ts';
import { formatNumber, t } from '../../text/text.ts';
import { useClock } from '../../ui/texts/time.tsx';
import { serverNow } from '../../data/server-clock.ts';

/** The time of day and the time since the wall was opened, as a sign that it is running. */
export function WallClock() {
  const now = useClock({ read: serverNow, everyMs: 1000 });
  const [start] = useState(now);
  const { days, hours, minutes } = durationOf(now - start);
  const parts = [
    [days, t.wall.days],
    [hours, t.wall.hours],
    [minutes, t.wall.minutes],
  ] as const;
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

/** A duration in its two largest units; all are 0 in the first minute. */
export function durationOf(ms: number) {
  const totalMinutes = Math.floor(ms / minuteMs);
  const days = Math.floor(totalMinutes / 1440);
  return { days, hours: Math.floor(totalMinutes / 60) % 24, minutes: days > 0 ? 0 : totalMinutes % 60 };
}
