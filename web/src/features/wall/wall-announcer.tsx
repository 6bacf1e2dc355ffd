import { useEffect, useState } from 'react';
import type { WallView } from '@swarmdeck/bff/contract';
import { formatClock, formatNumber, t } from '../../text/text.ts';
import { useLiveState } from './use-live-state.ts';
import type { Answered } from './use-live-state.ts';

/** Changed counts are announced at most this often, in ms. */
const announceInterval = 60_000;

/** Announces the counts once a minute, and the connection status immediately, for screen readers. */
export function WallAnnouncer(props: { counts: WallView | undefined; placed: number | undefined; answered: Answered }) {
  const { counts, placed, answered } = props;
  const live = useLiveState(answered);
  const text = counts && placed !== undefined && t.wall.summary(formatNumber(placed), counts.total);
  const [said, setSaid] = useState({ text, at: 0 });
  useEffect(() => {
    if (text === said.text) return undefined;
    const wait = Math.max(0, said.at + announceInterval - Date.now());
    const timer = setTimeout(() => setSaid({ text, at: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [text, said]);
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {said.text}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {live.state === 'live' && t.wall.now_live}
        {live.state === 'lost' && t.wall.not_live(formatClock(live.since))}
      </p>
    </>
  );
}
