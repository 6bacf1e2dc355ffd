import './sparkline.css';

const [width, height] = [96, 24];

/** A small line of numbers, oldest first. `label` says what it shows. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * width;
    // Equal numbers are a line in the middle. The range of two large numbers may be infinite.
    const part = range > 0 ? value / range - least / range : 0.5;
    return `${x.toFixed(1)},${((1 - part) * height).toFixed(1)}`;
  });
  return (
    <svg
      className="sparkline"
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
