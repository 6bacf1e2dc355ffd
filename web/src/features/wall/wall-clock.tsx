import { useState } from 'react';
import { formatClockSeconds, formatNumber, t } from '../../text/text.ts';
import { durationOf } from './display-duration.ts';
import { useServerClock } from './use-server-clock.ts';

/** The time of day and the time since the wall was opened, as a sign that it is running. */
export function WallClock() {
  const now = useServerClock();
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
