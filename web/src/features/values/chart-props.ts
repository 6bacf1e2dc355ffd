import type { Series, Span } from '../../data/values/series.ts';

/** A series with what it is called. */
export interface NamedSeries {
  series: Series;
  name: string;
  /** The number of its colour where several are in one chart; by default, its place among those that are shown. */
  colour?: number;
}

export interface ChartProps {
  /** What the chart shows, for screen readers. */
  label: string;
  /** All of them numbers, or one of states. */
  series: readonly Series[];
  /** The numbers of their colours. */
  colours: readonly number[];
  span: Span;
  /** The server's clock: until then, the last state lasts. */
  now: number;
  /** Null: the whole range again. */
  onZoom(span: Span | null): void;
  /** The time under the pointer, or chosen with arrow keys. */
  hovered: number | null;
  onHover(at: number | null): void;
  /** The space beside the plots of all charts of a list, in px. */
  gutter: number;
  /** A label needs more. */
  onGutter(width: number): void;
}
