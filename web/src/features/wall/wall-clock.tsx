import { useState } from 'react';
import { formatClockSeconds } from '../../text/clock.ts';
import { formatNumber } from '../../text/text.ts';
import { shownFor } from './shown-for.ts';
import { useServerClock } from './use-server-clock.ts';
import { words } from './wall-words.ts';

/** The time of day, and for how long this has been showing: whoever comes by sees that it has not stopped. */
export function WallClock() {
  const now = useServerClock();
  const [start] = useState(now);
  const shown = shownFor(now - start);
  const parts = shown
    ? ([
        [shown.days, words.days],
        [shown.hours, words.hours],
        [shown.minutes, words.minutes],
      ] as const)
    : [];
  const text = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => unit(formatNumber(count)))
    .join(' ');
  return (
    <p className="wall-clock numbers" data-over-map>
      {formatClockSeconds(now)}
      {text !== '' && ` · ${words.showing_for(text)}`}
    </p>
  );
}
