import type { WallView } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The number of devices on the map and in total, without position, and changed recently. */
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
