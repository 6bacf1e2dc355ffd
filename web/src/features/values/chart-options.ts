/** What the chart library draws: axes, lines and bands, in the colours of the page. */
import type { Cursor, Options, Padding, Series as PlotSeries } from 'uplot';
import type Plot from 'uplot';
import { firstAfter, type Series, type Span, type Value } from '../../data/values/series.ts';
import { tickLabels } from '../../text/tick-labels.ts';
import { formatValue } from '../../text/format-value.ts';
import { dashOf, type ChartLook } from './chart-look.ts';
import { aloneIn, distinctStates, statesOf, type Column } from './columns.ts';
import { timeLabels } from './time-axis.ts';

type PlotOptions = Omit<Options, 'width' | 'height'>;

interface ChartOptions {
  look: ChartLook;
  /** What it shows at first. */
  span: Span;
  gutter: Gutter;
  /** The user has selected a part of the time by a drag; null by a double click. */
  onSelect(span: Span | null): void;
  /** The pointer is at a time, or has left. */
  onCursor(at: number | null): void;
}

/** The space beside the plot, for the labels of its axis. All charts below each other have the same, so that their times are aligned. */
interface Gutter {
  /** In px. */
  width(): number;
  /** The labels of a chart need more. */
  widen(width: number): void;
}

/** In px. */
export const leastGutter = 56;
const belowPlot = 40;
/** Between a label and the plot, with the tick. */
const besideLabel = 12;
const betweenTimes = 16;
const leastBetweenTimes = 72;
/** Between the labels of numbers: so near that a chart has at least two, wherever its numbers are. */
const leastBetweenNumbers = 20;
const shortestDrag = 6;
const alphaOfRange = 0.18;

interface LineOptions extends ChartOptions {
  /** The number of the colour of each series. */
  colours: readonly number[];
  /** The values are divided by it. */
  unit: number;
  /** One series with the smallest and the largest number of each step, which are an area behind its line. */
  hasRange: boolean;
}

/** Lines of numbers. */
export function lineOptions({ colours, unit, hasRange, ...options }: LineOptions): PlotOptions {
  const { look } = options;
  const line = (number: number): PlotSeries => ({
    stroke: look.series[number]!,
    width: 1.5,
    dash: dashOf(number),
    points: { show: hasFewPoints, filter: alonePoints, size: 5 },
  });
  const edge: PlotSeries = { stroke: 'transparent', width: 0, points: { show: false } };
  const fill = transparent(look.series[colours[0]!]!);
  const frame = plotFrame(options);
  return {
    ...frame,
    scales: { ...frame.scales, y: { auto: true } },
    cursor: { ...frame.cursor, dataIdx: lastValueOf },
    series: [{}, ...(hasRange ? [edge, edge] : []), ...colours.map(line)],
    ...(hasRange && { bands: [{ series: [1, 2] as [number, number], fill }] }),
    axes: [
      ...frame.axes,
      {
        ...axisLook(look),
        size(plot: Plot, labels: readonly string[] | null) {
          const needed = Math.ceil(widestOf(plot, look, labels ?? [])) + besideLabel;
          if (needed > options.gutter.width()) options.gutter.widen(needed);
          return options.gutter.width();
        },
        space: leastBetweenNumbers,
        values: (_plot, ticks) => tickLabels(ticks.map((tick) => tick * unit)),
      },
    ],
  };
}

/** The dot of a line is at its last value before the pointer, which is the value that is written above; in a gap there is none. */
const lastValueOf: Cursor.DataIdxRefiner = ({ data }, line, pointed) => {
  const column = data[line]!;
  let index = pointed;
  while (index > 0 && column[index] === undefined) index -= 1;
  return column[index] === undefined ? null : index;
};

/** Among many values, points would cover the line. */
const hasFewPoints = (plot: Plot, _line: number, first: number, last: number) =>
  last - first < plot.bbox.width / pointDistance;
const pointDistance = 24;

/** Of a line without points, a single value between two gaps is one all the same. */
function alonePoints(plot: Plot, line: number, hasPoints: boolean): number[] | null {
  return hasPoints ? null : aloneIn(plot.data[line] as Column);
}

const transparent = (colour: string) => `color-mix(in srgb, ${colour} ${100 * alphaOfRange}%, transparent)`;

interface BandOptions extends ChartOptions {
  /** What is drawn, as it is now. */
  read(): { series: Series; now: number } | null;
}

/** A band of states: each has a colour, and its name where there is space. */
export function bandOptions({ read, ...options }: BandOptions): PlotOptions {
  const frame = plotFrame(options);
  return {
    ...frame,
    series: [{}],
    axes: frame.axes,
    padding: [null, frame.padding[1], null, () => options.gutter.width()],
    hooks: {
      ...frame.hooks,
      draw: [
        (plot) => {
          const drawn = read();
          if (drawn) drawBand(plot, { ...drawn, look: options.look });
        },
      ],
    },
  };
}

/** A part of the band that is narrower is drawn with its neighbours. In px of the screen. */
const narrowest = 1;
const textMargin = 6;

function drawBand(plot: Plot, { series, now, look }: { series: Series; now: number; look: ChartLook }): void {
  const { ctx, bbox } = plot;
  const states = distinctStates(series);
  const ratio = bbox.width / plot.over.clientWidth;
  const [start, end] = [bbox.left, bbox.left + bbox.width];
  ctx.save();
  ctx.font = `600 ${12 * ratio}px ${look.font}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  let drawnTo = -Infinity;
  for (const { from, to, value } of statesOf(series, now)) {
    const left = Math.max(start, plot.valToPos(from, 'x', true));
    const right = Math.min(end, plot.valToPos(to, 'x', true));
    // Thousands of changes within a pixel are one.
    if (right < start || left > end || right < drawnTo + narrowest) continue;
    drawnTo = Math.max(right, left + narrowest);
    drawState(ctx, {
      left,
      width: drawnTo - left,
      top: bbox.top,
      height: bbox.height,
      value,
      ratio,
      look,
      number: states.indexOf(value),
    });
  }
  ctx.restore();
}

interface DrawnState {
  left: number;
  width: number;
  top: number;
  height: number;
  value: Value;
  /** The pixels of the screen for each px. */
  ratio: number;
  look: ChartLook;
  /** The number of the state among all of the series. */
  number: number;
}

function drawState(
  ctx: CanvasRenderingContext2D,
  { left, width, top, height, value, ratio, look, number }: DrawnState,
) {
  const colour = look.series[number % look.series.length]!;
  ctx.fillStyle = transparent(colour);
  ctx.fillRect(left, top, width, height);
  // The state is told apart without its colour too: by the height of its line.
  ctx.fillStyle = colour;
  const level = top + height - 3 * ratio - (number % look.series.length) * ((height - 3 * ratio) / look.series.length);
  ctx.fillRect(left, level, width, 3 * ratio);
  const text = formatValue(value);
  if (ctx.measureText(text).width + 2 * textMargin * ratio > width) return;
  ctx.fillStyle = look.fg;
  ctx.fillText(text, left + textMargin * ratio, top + height / 2);
}

/** What both kinds of charts share: the time axis, the pointer, and a drag that selects a part of the time. */
function plotFrame({ look, span: [min, max], onSelect, onCursor }: ChartOptions) {
  const widestTime = (plot: Plot, { from, to, width }: { from: number; to: number; width: number }) =>
    widestOf(plot, look, timeLabels([from, to], ((to - from) * leastBetweenTimes) / width));
  /** The last label may be at the end of the plot. */
  const besideTimes = (plot: Plot) => {
    const { min: from, max: to } = plot.scales['x']!;
    return from === undefined || to === undefined
      ? 0
      : Math.ceil(widestTime(plot, { from, to, width: plot.width }) / 2);
  };
  return {
    ms: 1 as const,
    padding: [null, besideTimes, null, null] as Padding,
    legend: { show: false },
    scales: { x: { time: true, auto: false, min, max } },
    axes: [
      {
        ...axisLook(look),
        size: belowPlot,
        space: (plot: Plot, _axis: number, from: number, to: number, width: number) =>
          widestTime(plot, { from, to, width }) + betweenTimes,
        values: (_plot: Plot, ticks: number[], _axis: number, _space: number, distance: number) =>
          timeLabels(ticks, distance),
      },
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: shortestDrag },
      points: { size: 8 },
      bind: {
        // The whole range again.
        dblclick: () => () => {
          onSelect(null);
          return null;
        },
        mouseleave: () => () => {
          onCursor(null);
          return null;
        },
      },
    },
    hooks: {
      setSelect: [
        (plot: Plot) => {
          const { left, width } = plot.select;
          if (width < shortestDrag) return;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onSelect([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
        },
      ],
      setCursor: [
        (plot: Plot) => {
          const { left = -1, event } = plot.cursor;
          if (event && left >= 0) onCursor(plot.posToVal(left, 'x'));
        },
      ],
    },
  } satisfies Partial<PlotOptions>;
}

const fontSize = '12px';

/** By font and label. All digits have the same width, so these are few. */
const widths = new Map<string, number>();

/** The width of the longest of some labels, in px. A time may have two lines. */
function widestOf({ ctx }: Plot, { font }: ChartLook, labels: readonly string[]): number {
  const lines = labels.flatMap((label) => label.split('\n')).map((line) => line.replace(/\d/g, '0'));
  const unknown = lines.filter((line) => !widths.has(`${font} ${line}`));
  if (unknown.length > 0) {
    ctx.save();
    ctx.font = `${fontSize} ${font}`;
    for (const line of unknown) widths.set(`${font} ${line}`, ctx.measureText(line).width);
    ctx.restore();
  }
  return Math.max(0, ...lines.map((line) => widths.get(`${font} ${line}`)!));
}

const axisLook = (look: ChartLook) => ({
  stroke: look.muted,
  font: `${fontSize} ${look.font}`,
  grid: { stroke: look.line, width: 1 },
  ticks: { stroke: look.line, width: 1, size: 4 },
});

/** The part of the columns within the span has values. */
export const hasValuesIn = ({ times }: Pick<Series, 'times'>, [from, to]: Span) => {
  const index = firstAfter(times, from - 1);
  return index < times.length && times[index]! <= to;
};
