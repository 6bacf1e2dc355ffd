import { memo, useMemo, useState, type ReactNode } from 'react';
import { asPrecise, firstAfter, indexAt, summaryOf, type Series, type Span } from '../../data/values/series.ts';
import { formatValue } from '../../text/format-value.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Button, IconButton } from '../../ui/buttons/button.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { Chart } from './chart.tsx';
import { dashOf, mostSeries } from './chart-look.ts';
import { hasValuesIn, leastGutter } from './chart-options.ts';
import { ChartTable } from './chart-table.tsx';
import type { ChartProps, NamedSeries } from './chart-props.ts';
import { rangeNames, type RangeName } from './fitting-range.ts';
import type { ChartRange } from './use-chart-values.ts';
import { zoomed } from './zoom.ts';
import './chart-list.css';

interface ChartListProps {
  shown: readonly NamedSeries[];
  range: ChartRange;
  /** Longer ranges have nothing to show. */
  isShort?: boolean;
  /** All numbers are in one chart; false: each has its own. */
  isTogether: boolean;
  onTogether(on: boolean): void;
  onExport(): void;
  /** Why there may be none. */
  noneReason?: string | undefined;
  /** Above the charts. */
  children?: ReactNode;
}

/** Charts below each other with the same time axis: ranges, zoom, a table, and a file. */
export function ChartList(props: ChartListProps) {
  const { shown, range, isShort, isTogether, onTogether, onExport, noneReason, children } = props;
  const [isTable, setTable] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const [gutter, setGutter] = useState(leastGutter);
  const numbers = useMemo(() => shown.filter(({ series }) => series.kind === 'number'), [shown]);
  const states = shown.filter(({ series }) => series.kind === 'state');
  const separate = isTogether ? states : shown;
  const visible = showsAll ? separate : separate.slice(0, mostSeries);
  const { widen } = useStableFunctions({ widen: (width: number) => setGutter((now) => Math.max(now, width)) });
  const { span, now, zoomTo } = range;
  const chart = { span, now, onZoom: zoomTo, hovered, onHover: setHovered, gutter, onGutter: widen };
  const zoomBy = (by: number) => range.zoomTo(zoomed(range.span, { at: hovered ?? newestIn(shown, range.span), by }));
  return (
    <div className="values">
      <div className="line wraps values-tools">
        <Segmented
          label={t.values.range}
          value={range.name}
          options={rangeNames
            .filter((name) => !isShort || name === 'hour' || name === 'day')
            .map((name) => ({ value: name, label: t.values.ranges[name], short: t.values.short_ranges[name] }))}
          onChange={(name: RangeName) => range.choose(name)}
        />
        <div className="line to-end wraps">
          <IconButton icon="minus" look="plain" label={t.values.zoom_out} onClick={() => zoomBy(2)} />
          <IconButton icon="plus" look="plain" label={t.values.zoom_in} onClick={() => zoomBy(0.5)} />
          {/* It is there from the start: a chart must not move under the fingers that zoom it. */}
          <IconButton
            icon="fit"
            look="plain"
            label={t.values.whole_range}
            disabled={!range.isZoomed}
            focusableWhenDisabled
            onClick={() => range.zoomTo(null)}
          />
          <Button icon="list" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {t.values.table}
          </Button>
          <Button icon="download" onClick={onExport}>
            {t.values.export}
          </Button>
        </div>
      </div>
      <div className="line wraps spread values-time">
        <p className="quiet numbers">{hovered === null ? spanText(range.span) : timeText(hovered)}</p>
        {numbers.length > 1 && <Switch label={t.values.together} checked={isTogether} onChange={onTogether} />}
      </div>
      {children}
      {shown.length === 0 && !isTable && (
        <div className="box-text quiet">
          <p>{t.values.none_in_range}</p>
          {noneReason && <p>{noneReason}</p>}
        </div>
      )}
      {isTable ? (
        <ChartTable shown={isTogether ? [...numbers.slice(0, mostSeries), ...visible] : visible} span={range.span} />
      ) : (
        <>
          {isTogether && numbers.length > 0 && <LinesTogether {...chart} all={numbers} />}
          {visible.map((named) => (
            <OneSeries key={named.series.id} {...chart} {...named} />
          ))}
        </>
      )}
      {separate.length > visible.length && (
        <div className="box-row">
          <Button look="accent" size="row" onClick={() => setShowsAll(true)}>
            {t.values.show_more(separate.length - visible.length)}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The time of the newest value in a part of the time, or its middle: the buttons zoom around it. */
function newestIn(shown: readonly NamedSeries[], [from, to]: Span): number {
  const newest = shown.map(({ series: { times } }) => times[firstAfter(times, to) - 1] ?? -Infinity);
  const at = Math.max(...newest);
  return at >= from ? at : (from + to) / 2;
}

const timeText = (at: number) => formatDateTimeSeconds(new Date(at).toISOString());
const spanText = ([from, to]: Span) => t.values.span(timeText(from), timeText(to));

type SharedProps = Omit<ChartProps, 'label' | 'series' | 'colours'>;

const firstColour = [0];

/** One key: its name, its value, and its chart. */
const OneSeries = memo(function OneSeries({ series, name, ...chart }: NamedSeries & SharedProps) {
  const all = useMemo(() => [series], [series]);
  return (
    <figure className="values-chart">
      <figcaption className="line baseline wraps">
        <Bdi className="strong one-line">{name}</Bdi>
        <ValueAt series={series} at={chart.hovered} />
        <SummaryText series={series} span={chart.span} />
      </figcaption>
      <SpanChart {...chart} label={name} series={all} colours={firstColour} />
    </figure>
  );
});

/** Up to eight numbers with one axis. The names of the lines are buttons that hide and show them. */
const LinesTogether = memo(function LinesTogether({ all, ...chart }: SharedProps & { all: readonly NamedSeries[] }) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const isShown = ({ series }: NamedSeries) => !hidden.includes(series.id);
  const lines = all
    .slice(0, mostSeries)
    .map((named, place) => ({ ...named, colour: (named.colour ?? place) % mostSeries }));
  const shown = lines.filter(isShown);
  const series = useSameItems(shown.map(({ series }) => series));
  return (
    <figure className="values-chart">
      <figcaption className="line wraps values-legend">
        {lines.map((named) => (
          <button
            key={named.series.id}
            type="button"
            className={`chip values-line values-line-${named.colour + 1}`}
            aria-pressed={isShown(named)}
            onClick={() =>
              setHidden(isShown(named) ? [...hidden, named.series.id] : hidden.filter((id) => id !== named.series.id))
            }
          >
            <svg className="values-sample" aria-hidden="true">
              <line x2="100%" y1="50%" y2="50%" strokeDasharray={dashOf(named.colour).join(' ')} />
            </svg>
            <Bdi title={named.name}>{named.name}</Bdi> <ValueAt series={named.series} at={chart.hovered} />
          </button>
        ))}
        {all.length > lines.length && <span className="quiet">{t.values.first_lines(mostSeries, all.length)}</span>}
      </figcaption>
      {shown.length > 0 && (
        <SpanChart
          {...chart}
          label={shown.map(({ name }) => name).join(', ')}
          series={series}
          colours={shown.map(({ colour }) => colour)}
        />
      )}
    </figure>
  );
});

/** Returns the same list until one of its items changes, so that a chart is not calculated again. */
function useSameItems<Item>(items: readonly Item[]): readonly Item[] {
  const [known, setKnown] = useState(items);
  const isSame = items.length === known.length && items.every((item, index) => item === known[index]);
  if (!isSame) setKnown(items);
  return isSame ? known : items;
}

function SpanChart(props: ChartProps) {
  const { series, span } = props;
  const isEmpty = !series.some((each) => hasValuesIn(each, span));
  return (
    <div className="values-plot">
      <Chart {...props} />
      {isEmpty && <p className="quiet values-none">{t.values.none_in_range}</p>}
    </div>
  );
}

/** The value at a time, or the last one. */
function ValueAt({ series, at }: { series: Series; at: number | null }) {
  const index = at === null ? series.times.length - 1 : indexAt(series, at);
  const value = series.values[index];
  return (
    <span className="numbers values-value">{value === undefined ? '–' : formatValue(asPrecise(value, series))}</span>
  );
}

function SummaryText({ series, span }: { series: Series; span: Span }) {
  const { count, least, mean, most } = summaryOf(series, span);
  if (least === undefined || mean === undefined || most === undefined) return null;
  return (
    <span className="quiet numbers to-end">
      {count === 1
        ? formatValue(least)
        : t.values.summary(formatValue(least), formatValue(most), formatValue(asPrecise(mean, series)))}
    </span>
  );
}
