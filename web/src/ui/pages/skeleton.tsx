import './skeleton.css';

/** A placeholder for text that is loading. Sizes are CSS lengths. */
export function Skeleton({ width, height = '9px' }: { width: string; height?: string }) {
  return <span className="skeleton" style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />;
}

/** A row that is loading; `width` of its title in percent. */
export function SkeletonRow({ badge = true, width = 60 }: { badge?: boolean; width?: number }) {
  return (
    <span className="line gap-3 skeleton-row">
      {badge && <Skeleton width="32px" height="32px" />}
      <span className="stack grow">
        <Skeleton width={`${width}%`} height="11px" />
        <Skeleton width={`${width * 0.6}%`} />
      </span>
      <Skeleton width="36px" />
    </span>
  );
}

/** Rows of the real height; `widths` vary, so that they look like names. */
export function SkeletonRows({ count, badge = true, label }: { count: number; badge?: boolean; label: string }) {
  const widths = [64, 50, 82, 42, 69, 57, 46, 61, 53, 63];
  return (
    <output className="skeleton-rows">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: count }, (_, index) => {
        const width = widths[index % widths.length] ?? 60;
        return (
          <div key={index} className="skeleton-item">
            <SkeletonRow badge={badge} width={width} />
          </div>
        );
      })}
    </output>
  );
}
