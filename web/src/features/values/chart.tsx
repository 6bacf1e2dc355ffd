/** One chart: up to eight numbers as lines, or one key with states as a band. */
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { asPrecise, firstAfter, indexAt, type Series } from '../../data/values/series.ts';
import { formatValue } from '../../text/format-value.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { useEventListener } from '../../ui/browser/use-event-listener.ts';
import { useChartLook, type ChartLook } from './chart-look.ts';
import './chart.css';
import type { ChartProps } from './chart-props.ts';
import { columnsOf, type DrawnColumns } from './columns.ts';
import { Drawing } from './drawing.tsx';
import { zoomed } from './zoom.ts';

export function Chart(props: ChartProps) {
  const { series, label, span, hovered, onZoom } = props;
  const [host, setHost] = useState<HTMLElement | null>(null);
  const look = useChartLook(host);
  const width = useWidth(host);
  const isSeen = useIsSeen(host);
  const onHover = (at: number | null) => props.onHover(at === null ? null : nearestTime(series, at));
  return (
    // The time axis goes from left to right in every language.
    <div ref={setHost} className={`chart${series[0]?.kind === 'state' ? ' chart-band' : ''}`} dir="ltr">
      <ReadingSlider
        label={label}
        series={series}
        span={span}
        hovered={hovered}
        onZoom={onZoom}
        onHover={props.onHover}
      />
      {look && width > 0 && isSeen && <DrawnSeries {...props} look={look} width={width} onHover={onHover} />}
    </div>
  );
}

/** What the chart library draws of the series. */
function DrawnSeries(props: Omit<ChartProps, 'label'> & { look: ChartLook; width: number }) {
  const { series, colours, span, gutter, look, width } = props;
  const isBand = series[0]?.kind === 'state';
  const plotWidth = Math.max(1, width - gutter);
  const { columns, unit } = useMemo(
    (): DrawnColumns =>
      isBand ? { columns: [series[0]!.times], unit: 1 } : columnsOf(series, { span, width: plotWidth }),
    [series, isBand, span, plotWidth],
  );
  // With other lines or colours it is made anew. With other values, it is drawn again.
  const shape = [isBand, columns.length, unit, ...colours, look.fg, ...look.series].join();
  return <Drawing key={shape} {...props} columns={columns} unit={unit} />;
}

/** The parts of the width that the slider tells apart. */
const sliderParts = 1000;

/** Arrow keys read the values, one after the other. `+`, `-` and `0` zoom. */
function ReadingSlider(props: Pick<ChartProps, 'label' | 'series' | 'span' | 'hovered' | 'onZoom' | 'onHover'>) {
  const { label, series, span, hovered, onZoom, onHover } = props;
  const [from, to] = span;
  const newest = timeBefore(series, to + 1);
  const at = hovered ?? newest ?? to;
  function read(time: number | undefined) {
    if (time !== undefined && time >= from && time <= to) onHover(time);
  }
  const next = () => read(timeAfter(series, at));
  const previous = () => read(timeBefore(series, at));
  const keys: Record<string, () => void> = {
    '+': () => onZoom(zoomed(span, { at, by: 0.5 })),
    '-': () => onZoom(zoomed(span, { at, by: 2 })),
    '0': () => onZoom(null),
    ArrowRight: next,
    ArrowUp: next,
    ArrowLeft: previous,
    ArrowDown: previous,
    Home: () => read(timeAfter(series, from - 1)),
    End: () => read(newest),
  };
  return (
    <input
      type="range"
      className="visually-hidden"
      aria-label={label}
      min={0}
      max={sliderParts}
      value={Math.round((sliderParts * (at - from)) / (to - from))}
      aria-valuetext={textAt(series, at)}
      onChange={({ currentTarget }) =>
        read(nearestTime(series, from + (currentTarget.valueAsNumber * (to - from)) / sliderParts))
      }
      onKeyDown={(event) => {
        const press = keys[event.key];
        if (!press) return;
        event.preventDefault();
        press();
      }}
      onBlur={() => onHover(null)}
    />
  );
}

/** The first time after `at` at which any of the series has a value. */
function timeAfter(series: readonly Series[], at: number): number | undefined {
  const found = series.flatMap(({ times }) => times[firstAfter(times, at)] ?? []);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** The last one before `at`. Times are in ms. */
function timeBefore(series: readonly Series[], at: number): number | undefined {
  const found = series.flatMap(({ times }) => times[firstAfter(times, at - 1) - 1] ?? []);
  return found.length === 0 ? undefined : Math.max(...found);
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
  const [before, after] = [timeBefore(series, at + 1), timeAfter(series, at)];
  if (before === undefined || after === undefined) return before ?? after ?? at;
  return at - before <= after - at ? before : after;
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

/** About the height of a chart: it is drawn before it is scrolled to. */
const nearby = '200px';

/** Whether an element is on the screen or near it. Paper has all of them. */
function useIsSeen(element: HTMLElement | null): boolean {
  const [isNear, setNear] = useState(false);
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    if (!element) return undefined;
    const screen = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      rootMargin: nearby,
      // Part of the page may scroll by itself.
      scrollMargin: nearby,
    });
    screen.observe(element);
    return () => screen.disconnect();
  }, [element]);
  useEventListener(window, 'beforeprint', () => flushSync(() => setPrinted(true)));
  useEventListener(window, 'afterprint', () => setPrinted(false));
  return isNear || isPrinted;
}
