import Plot from 'uplot';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Series } from '../../data/values/series.ts';
import type { ChartProps } from './chart-props.ts';
import type { ChartLook } from './chart-look.ts';
import { bandOptions, lineOptions } from './chart-options.ts';
import type { Columns } from './columns.ts';
import { cancelDraw, drawInTurn } from './draw-in-turn.ts';
import { useZoomInput } from './zoom.ts';

interface DrawingProps extends Omit<ChartProps, 'label'> {
  columns: Columns;
  /** The values in the columns are divided by it. */
  unit: number;
  look: ChartLook;
  /** In px. */
  width: number;
}

/** In px. */
const heights = { number: 168, state: 84 };

/** The canvas of a chart. It is drawn at most once in a frame, however many values have come. */
export function Drawing(props: DrawingProps) {
  const { series, columns, span, now, width, hovered, onZoom, onHover, gutter, onGutter } = props;
  const [host, setHost] = useState<HTMLElement | null>(null);
  const plot = useRef<Plot>(null);
  /** The chart library draws what is new. */
  const isNew = useRef(false);
  const band = useRef<{ series: Series; now: number } | null>(null);
  /** A tap leaves the chart hovered, too, where no mouse is. */
  const hasMouse = useRef(false);
  const height = heights[series[0]?.kind ?? 'number'];

  const gutterNow = useRef(gutter);
  const first = useEffectEvent(() => ({ ...props, height }));
  const select = useEffectEvent(onZoom);
  const point = useEffectEvent(onHover);
  const widen = useEffectEvent(onGutter);
  useEffect(() => {
    if (!host) return undefined;
    const { series: drawn, columns: data, width: inline, height: block, ...shown } = first();
    const shared = {
      ...shown,
      gutter: { width: () => gutterNow.current, widen: (needed: number) => widen(needed) },
      onSelect: (to: ChartProps['span'] | null) => select(to),
      onCursor: (at: number | null) => point(at),
    };
    const options =
      drawn[0]?.kind === 'state'
        ? bandOptions({ ...shared, read: () => band.current })
        : lineOptions({ ...shared, hasRange: data.length === drawn.length + 3 });
    const made = new Plot({ ...options, width: inline, height: block }, data, host);
    plot.current = made;
    isNew.current = true;
    return () => {
      plot.current = null;
      cancelDraw(made);
      made.destroy();
    };
  }, [host]);
  useEffect(() => {
    const chart = plot.current;
    band.current = series[0] ? { series: series[0], now } : null;
    if (!host || !chart) return;
    if (isNew.current) {
      isNew.current = false;
      return;
    }
    drawInTurn(chart, () =>
      chart.batch(() => {
        chart.setData(columns, false);
        chart.setScale('x', { min: span[0], max: span[1] });
      }),
    );
  }, [host, series, columns, span, now]);
  useEffect(() => {
    plot.current?.setSize({ width, height });
  }, [width, height]);
  useEffect(() => {
    if (gutterNow.current === gutter) return;
    gutterNow.current = gutter;
    plot.current?.redraw(true, true);
  }, [gutter]);
  useEffect(() => {
    const chart = plot.current;
    if (!chart) return;
    const part = hovered === null ? -1 : (hovered - span[0]) / (span[1] - span[0]);
    // Nothing of the layout is read: it would be calculated in each chart of a list.
    if (part < 0 && (chart.cursor.left ?? -1) < 0) return;
    // The line of the mouse is where the mouse is.
    if (hasMouse.current && chart.over.matches(':hover')) return;
    chart.setCursor({ left: (part * chart.bbox.width) / Plot.pxRatio, top: part < 0 ? -10 : 0 }, false);
  }, [hovered, span]);

  return (
    <div
      ref={setHost}
      onPointerEnter={({ pointerType }) => (hasMouse.current = pointerType === 'mouse')}
      {...useZoomInput({ host, plot, span, onZoom, onHover })}
    />
  );
}
