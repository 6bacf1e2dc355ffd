/** One chart: up to eight numbers as lines, or one key with states as a band. */
import { useEffect, useMemo, useState } from 'react';
import { asPrecise, firstAfter, indexAt, type Series, type Span } from '../../data/values/series.ts';
import { formatValue } from '../../text/format-value.ts';
import { formatDateTimeSeconds } from '../../text/text.ts';
import { useChartLook } from './chart-look.ts';
import './chart.css';
import type { ChartProps } from './chart-props.ts';
import { columnsOf, unitOf, type Columns } from './columns.ts';
import { Drawing } from './drawing.tsx';
import { zoomed } from './zoom.ts';

export function Chart({ label, series, colours, span, now, onZoom, hovered, onHover, gutter, onGutter }: ChartProps) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const look = useChartLook(host);
  const width = useWidth(host);
  const isBand = series[0]?.kind === 'state';
  const unit = useMemo(() => (isBand ? 1 : unitOf(series)), [series, isBand]);
  const plotWidth = Math.max(1, width - gutter);
  const columns = useMemo(
    (): Columns => (isBand ? [series[0]!.times] : columnsOf(series, { unit, span, width: plotWidth })),
    [series, isBand, unit, span, plotWidth],
  );
  const hover = (at: number | null) => onHover(at === null ? null : nearestTime(series, at));
  // With other lines or colours it is made anew. With other values, it is drawn again.
  const shape = [isBand, columns.length, unit, ...colours, look?.fg, ...(look?.series ?? [])].join();
  return (
    // The time axis goes from left to right in every language.
    <div ref={setHost} className={`chart${isBand ? ' chart-band' : ''}`} dir="ltr">
      <ReadingSlider {...{ label, series, span, hovered, onZoom, onHover }} />
      {look && width > 0 && (
        <Drawing
          key={shape}
          {...{ series, columns, colours, unit, look, width, span, now, hovered, onZoom, gutter, onGutter }}
          onHover={hover}
        />
      )}
    </div>
  );
}

/** Arrow keys read the values, one after the other. `+`, `-` and `0` zoom. */
function ReadingSlider(props: Pick<ChartProps, 'label' | 'series' | 'span' | 'hovered' | 'onZoom' | 'onHover'>) {
  const { label, series, span, hovered, onZoom, onHover } = props;
  const times = useMemo(() => timesWithin(series, span), [series, span]);
  const last = times.length - 1;
  const at = hovered ?? times[last] ?? span[1];
  const zooms: Record<string, () => Span | null> = {
    '+': () => zoomed(span, { at, by: 0.5 }),
    '-': () => zoomed(span, { at, by: 2 }),
    '0': () => null,
  };
  return (
    <input
      type="range"
      className="visually-hidden"
      aria-label={label}
      min={0}
      max={Math.max(0, last)}
      value={Math.max(0, firstAfter(times, at) - 1)}
      aria-valuetext={textAt(series, at)}
      onChange={({ currentTarget }) => onHover(times[currentTarget.valueAsNumber] ?? null)}
      onKeyDown={({ key }) => {
        const zoom = zooms[key];
        if (zoom) onZoom(zoom());
      }}
      onBlur={() => onHover(null)}
    />
  );
}

/** The times at which any of the series has a value. */
function timesWithin(series: readonly Series[], [from, to]: Span): number[] {
  const parts = series.map(({ times }) => times.slice(firstAfter(times, from - 1), firstAfter(times, to)));
  return parts.length === 1 ? parts[0]! : [...new Set(parts.flat())].toSorted((a, b) => a - b);
}

/** The time and the values of all series at it. */
function textAt(series: readonly Series[], at: number): string {
  const values = series.map((each) => {
    const index = indexAt(each, at);
    return index < 0 ? '–' : formatValue(asPrecise(each.values[index]!, each));
  });
  return `${formatDateTimeSeconds(new Date(at).toISOString())}: ${values.join(', ')}`;
}

/** The time of the value that is nearest to a time. */
function nearestTime(series: readonly Series[], at: number): number {
  const around = series.flatMap(({ times }) => {
    const after = firstAfter(times, at);
    return [times[after - 1], times[after]].filter((time) => time !== undefined);
  });
  return around.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0] ?? at;
}

/** The width of an element, in px. */
function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [element]);
  return width;
}
