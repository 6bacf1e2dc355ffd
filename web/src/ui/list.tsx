import { useCallback, useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

interface Range {
  /** First row that is rendered. */
  start: number;
  /** The row after the last one. */
  end: number;
}

/** The rows that a viewport shows: `top` is how far the list's start has gone above it, in px. */
export function rangeOf(view: {
  top: number;
  height: number;
  rowHeight: number;
  count: number;
  overscan: number;
}): Range {
  const first = Math.floor(view.top / view.rowHeight) - view.overscan;
  const last = Math.ceil((view.top + view.height) / view.rowHeight) + view.overscan;
  const start = Math.min(Math.max(0, first), Math.max(0, view.count - 1));
  return { start, end: Math.max(start, Math.min(view.count, last)) };
}

/**
 * Renders only what is in sight of a long list with rows of one height.
 *
 *     const scroller = useRef<HTMLDivElement>(null); const list = useRef<HTMLUListElement>(null);
 *     const { rows, height, offset, reveal } = useWindow({ scroller, list, count: total, rowHeight: 56, keep: focused });
 *     <div ref={scroller}> … <ul ref={list} style={{ height, position: 'relative' }}>
 *       {rows.map((row) => <li key={row} style={{ position: 'absolute', insetBlockStart: offset(row) }} />)}
 *
 * `count` may be the total of data that is still on its way: rows without data are drawn as skeletons by the caller,
 * which loads the pages that `rows` touches. `keep` is a row that stays rendered wherever one scrolls, because the
 * focus is in it. `reveal(row)` scrolls as little as needed, and to the middle if the row is far away. `visible()` measures
 * the range now, before the next render.
 */
export function useWindow({
  scroller,
  list,
  count,
  rowHeight,
  overscan = 6,
  keep = null,
}: {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  overscan?: number;
  keep?: number | null;
}) {
  const [range, setRange] = useState<Range>({ start: 0, end: Math.min(count, 20) });
  const frame = useRef(0);

  const visible = useCallback((): Range | null => {
    if (!scroller.current || !list.current) return null;
    const view = scroller.current.getBoundingClientRect();
    const top = view.top - list.current.getBoundingClientRect().top;
    return rangeOf({ top, height: view.height, rowHeight, count, overscan });
  }, [scroller, list, rowHeight, count, overscan]);

  const measure = useCallback(() => {
    const next = visible();
    if (next) setRange((now) => (now.start === next.start && now.end === next.end ? now : next));
  }, [visible]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const soon = () => {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(measure);
    };
    // tells the first size too, before the first paint
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener('scroll', soon, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', soon);
      cancelAnimationFrame(frame.current);
    };
  }, [scroller, measure]);

  const reveal = useCallback(
    (row: number) => {
      if (!scroller.current || !list.current) return;
      const view = scroller.current.getBoundingClientRect();
      const start = list.current.getBoundingClientRect().top - view.top + row * rowHeight;
      const beyond = start + rowHeight - view.height;
      const isFar = start < -view.height || beyond > view.height;
      if (isFar) scroller.current.scrollBy({ top: (start + beyond) / 2 });
      else if (start < 0) scroller.current.scrollBy({ top: start });
      else if (beyond > 0) scroller.current.scrollBy({ top: beyond });
    },
    [scroller, list, rowHeight],
  );

  const end = Math.min(range.end, count);
  const rows = Array.from({ length: Math.max(0, end - range.start) }, (_, index) => range.start + index);
  if (keep !== null && keep < count && keep < range.start) rows.unshift(keep);
  if (keep !== null && keep < count && keep >= end) rows.push(keep);
  return { rows, range, height: count * rowHeight, offset: (row: number) => row * rowHeight, reveal, visible };
}
