import type { WallView } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** How many devices are on the map, of how many; how many have no position; how many changed a moment ago. */
export function WallCounts({ counts, placed }: { counts: WallView | undefined; placed: number | undefined }) {
  if (!counts) return <Skeleton width="140px" height="26px" />;
  const { total, unplaced, changed } = counts;
  return (
    <div className="wall-counts numbers">
      <p className="wall-count">
        <strong>{placed === undefined ? '…' : formatNumber(placed)}</strong> {t.wall.of(formatNumber(total))}
      </p>
      <p className="wall-line">
        {t.wall.unplaced(formatNumber(unplaced))} · {t.wall.changed(formatNumber(changed))}
      </p>
    </div>
  );
}
