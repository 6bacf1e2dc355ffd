import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { Rows } from '../../../api/pages.ts';

/**
 * Rows that come or go above what one looks at move nothing under the eye or the pointer: the list scrolls by as much.
 * Only at its very top, with no pointer on it, new rows are seen to come in. `above`: how many came out of sight.
 */
export function useKeepPlace({
  scroller,
  list,
  rows,
  rowHeight,
}: {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  rows: Rows;
  rowHeight: number;
}): { above: number } {
  const before = useRef(rows);
  const [above, setAbove] = useState(0);

  useLayoutEffect(() => {
    const [was, view] = [before.current, scroller.current];
    before.current = rows;
    if (was === rows || !view || !list.current || was.length === 0) return;
    const hidden = view.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
    const row = Math.max(0, Math.floor(hidden / rowHeight));
    const moved = movedBy({ was, now: rows, row });
    const atTop = view.scrollTop === 0;
    if (moved === 0 || (atTop && !(moved > 0 && view.matches(':hover')))) return;
    view.scrollBy({ top: moved * rowHeight, behavior: 'instant' });
    if (moved > 0) setAbove((count) => count + moved);
  }, [rows, scroller, list, rowHeight]);

  useEffect(() => {
    const view = scroller.current;
    const onScroll = () => view && view.scrollTop < rowHeight && setAbove(0);
    view?.addEventListener('scroll', onScroll, { passive: true });
    return () => view?.removeEventListener('scroll', onScroll);
  }, [scroller, rowHeight]);
  return { above };
}

/** By how many rows the one at `row`, or the first one below it that is still there, has moved down. */
export function movedBy({
  was,
  now,
  row,
}: {
  was: Pick<Rows, 'at' | 'length'>;
  now: Pick<Rows, 'indexOf' | 'length'>;
  row: number;
}): number {
  if (row >= was.length) return now.length - was.length;
  for (let at = row; at < was.length; at += 1) {
    const found = now.indexOf(was.at(at)?.id ?? '');
    if (found >= 0) return found - at;
  }
  return 0;
}
