/** Zooming and reading a chart with fingers, and with the wheel of a mouse or a touchpad. */
import type Plot from 'uplot';
import { useRef, type PointerEvent, type RefObject } from 'react';
import { useEventListener } from '../../ui/browser/use-event-listener.ts';
import type { Span } from '../../data/values/series.ts';

/** In ms. A shorter part of the time is not shown. */
const shortest = 1000;

/** A part of the time around `at`, which stays where it is. `by` below 1 shows less. */
export function zoomed([from, to]: Span, { at, by }: { at: number; by: number }): Span {
  const length = Math.max(shortest, (to - from) * by);
  const part = (at - from) / (to - from);
  return [at - part * length, at + (1 - part) * length];
}

/** The part of the time that two fingers hold: each stays on the time that it has touched. */
export function pinched(
  span: Span,
  fingers: { touched: readonly [number, number]; now: readonly [number, number] },
): Span {
  const { touched, now } = fingers;
  // Parts of the width, from 0 to 1.
  const by = (touched[1] - touched[0]) / (now[1] - now[0] || Number.EPSILON);
  const length = Math.max(shortest, (span[1] - span[0]) * Math.abs(by));
  const timeOfFirst = span[0] + touched[0] * (span[1] - span[0]);
  const from = timeOfFirst - now[0] * length;
  return [from, from + length];
}

interface ZoomInputOptions {
  host: HTMLElement | null;
  plot: RefObject<Plot | null>;
  span: Span;
  onZoom(span: Span | null): void;
  onHover(at: number | null): void;
}

/** One finger reads the values, two zoom. What the mouse does is in chart-options.ts. */
export function useZoomInput({ host, plot, span, onZoom, onHover }: ZoomInputOptions) {
  /** Where each finger is, as a part of the width. */
  const fingers = useRef(new Map<number, number>());
  const start = useRef<{ span: Span; touched: [number, number] }>(null);
  const partOf = ({ clientX }: { clientX: number }) => {
    const { left, width } = plot.current!.over.getBoundingClientRect();
    return (clientX - left) / width;
  };
  const read = (part: number) => onHover(span[0] + part * (span[1] - span[0]));
  const two = () => [...fingers.current.values()].slice(0, 2) as [number, number];
  function lift({ pointerId }: PointerEvent) {
    fingers.current.delete(pointerId);
    start.current = null;
  }
  // React listens passively, and could not keep the page from zooming.
  useEventListener(
    host,
    'wheel',
    (event) => {
      if (!event.ctrlKey || !plot.current) return;
      event.preventDefault();
      const at = span[0] + partOf(event) * (span[1] - span[0]);
      onZoom(zoomed(span, { at, by: Math.exp(event.deltaY / 200) }));
    },
    { passive: false },
  );
  return {
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'mouse' || !plot.current) return;
      fingers.current.set(event.pointerId, partOf(event));
      if (fingers.current.size === 2) start.current = { span, touched: two() };
      else read(partOf(event));
    },
    onPointerMove(event: PointerEvent) {
      if (!fingers.current.has(event.pointerId) || !plot.current) return;
      fingers.current.set(event.pointerId, partOf(event));
      if (start.current) onZoom(pinched(start.current.span, { touched: start.current.touched, now: two() }));
      else read(partOf(event));
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}
