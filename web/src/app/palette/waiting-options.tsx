import { t } from '../../text/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Skeletons while the search runs. */
export function WaitingOptions() {
  return (
    <div className="palette-waiting" aria-hidden="true">
      <div className="palette-group">{t.palette.groups.devices}</div>
      {[44, 58, 36].map((width) => (
        <div key={width} className="palette-option">
          <Skeleton width="24px" height="24px" />
          <Skeleton width={`${width}%`} height="11px" />
        </div>
      ))}
    </div>
  );
}
