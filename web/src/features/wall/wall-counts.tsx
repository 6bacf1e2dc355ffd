import type { WallView } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { words } from './wall-words.ts';

/** How many there are, how many of them are on the map, and how many are at work. */
export function WallCounts({ counts }: { counts: WallView | undefined }) {
  if (!counts) return <Skeleton width="140px" height="26px" />;
  const { total, unplaced, changed } = counts;
  return (
    <div className="wall-counts numbers">
      <p className="wall-count">
        <strong>{formatNumber(total - unplaced)}</strong> {words.of(formatNumber(total))}
      </p>
      <p className="wall-line">
        {words.unplaced(formatNumber(unplaced))} · {words.changed(formatNumber(changed))}
      </p>
    </div>
  );
}
