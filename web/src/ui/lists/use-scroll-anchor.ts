import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { countOf, heightOf, passedOver, scrollOf, tallest, topIn, viewOf, type ListSection } from './list-sections.ts';
import { useEventListener } from '../browser/use-event-listener.ts';

interface ScrollAnchorOptions {
  scroller: RefObject<HTMLDivElement | null>;
  sections: readonly ListSection[];
  /** Called before rows that arrive scroll the list, with how far, and while it is scrolled. */
  makeRoom: ((list: HTMLElement, scrollTop: number) => void) | undefined;
}

/**
 * Scrolls by the height of the rows that were added or removed above the first visible row (`keepPlace`). Returns how
 * many rows were added out of sight.
 */
export function useScrollAnchor({ scroller, sections, makeRoom }: ScrollAnchorOptions): number {
  const before = useRef<PlacedSection[]>([]);
  const [arrived, setArrived] = useState(0);
  const rowHeight = sections[0]?.rowHeight ?? 0;

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return;
    const view = viewOf(list);
    const tops = [...list.querySelectorAll<HTMLElement>(':scope > .virtual-rows')].map((rows) => topIn(view, rows));
    const now = sections.map((section, number) => ({ section, top: tops[number] ?? 0 }));
    const was = before.current;
    before.current = now;
    const isSame = was.every(({ section }, number) => section.rows === now[number]?.section.rows);
    const anchor = isSame ? undefined : anchorOf({ was, now, view });
    if (!anchor || (anchor.moved === 0 && anchor.added === 0)) return;
    const { moved, added } = anchor;
    if (view.scrollTop === 0 && !(added > 0 && (makeRoom || view.matches(':hover')))) return;
    makeRoom?.(list, view.scrollTop + moved);
    view.scrollBy({ top: moved, behavior: 'instant' });
    if (added > 0) setArrived((count) => count + added);
  }, [sections, scroller, makeRoom]);

  useEventListener(
    document,
    'scroll',
    () => {
      const list = scroller.current;
      if (!list) return;
      const { scrollTop } = viewOf(list);
      makeRoom?.(list, scrollTop);
      if (scrollTop < rowHeight) setArrived(0);
    },
    { capture: true, passive: true },
  );
  return arrived;
}

/** A section, and where its rows begin in the list, in px. */
interface PlacedSection {
  section: ListSection;
  top: number;
}

/** By how many px the first visible row has moved, and how many rows were added to the first section above it. */
function anchorOf({ was, now, view }: { was: PlacedSection[]; now: PlacedSection[]; view: Element }) {
  const end = ({ section, top }: PlacedSection) => top + Math.min(heightOf(section).height, tallest);
  const number = was.findIndex((placed) => placed.section.rows.length > 0 && end(placed) > view.scrollTop);
  const [from, to] = [was[number], now[number]];
  if (!from || !to) return undefined;
  const { rowHeight } = from.section;
  const scrolled = view.scrollTop - from.top;
  const place = scrolled + passedOver(from.section, view, scrolled);
  const row = Math.max(0, Math.floor(place / rowHeight));
  const rows = movedBy({ was: from.section, now: to.section, row });
  const added = number === 0 ? rows : countOf(now[0]!.section) - countOf(was[0]!.section);
  return { moved: scrollOf(to.section, view, place + rows * rowHeight) - scrolled + to.top - from.top, added };
}

/** By how many rows the row at `row`, or the next one that still exists, has moved down. */
function movedBy({ was, now, row }: { was: ListSection; now: ListSection; row: number }): number {
  const [from, to] = [was.firstRow ?? 0, now.firstRow ?? 0];
  if (row >= from + was.rows.length) return countOf(now) - countOf(was);
  for (let at = Math.max(row, from); at < from + was.rows.length; at += 1) {
    const found = now.rows.indexOf(was.rows.at(at - from)?.id ?? '');
    if (found >= 0) return to + found - at;
  }
  return 0;
}
