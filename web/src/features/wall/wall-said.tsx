import { useEffect, useState } from 'react';
import type { WallView } from '@swarmdeck/bff/contract';
import { formatClock, formatNumber } from '../../text/text.ts';
import { useLiveState } from './use-live-state.ts';
import type { Answered } from './use-live-state.ts';
import { words } from './wall-words.ts';

/** Counts that change by the second are said once in so long. */
const saidEvery = 60_000;

/** What a screen reader is told of a wall: how many there are, now and then, and at once whether it is live. */
export function WallSaid({ counts, answered }: { counts: WallView | undefined; answered: Answered }) {
  const live = useLiveState(answered);
  const text =
    counts && words.summary(counts.total, formatNumber(counts.total - counts.unplaced), formatNumber(counts.total));
  const [said, setSaid] = useState({ text, at: 0 });
  useEffect(() => {
    if (text === said.text) return undefined;
    const wait = Math.max(0, said.at + saidEvery - Date.now());
    const timer = setTimeout(() => setSaid({ text, at: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [text, said]);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {said.text}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {live.state === 'live' && words.now_live}
        {live.state === 'lost' && words.not_live(formatClock(live.since))}
      </p>
    </>
  );
}
