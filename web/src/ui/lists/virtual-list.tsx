import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import {
  countOf,
  heightOf,
  passedOver,
  scrollOf,
  tallest,
  topIn,
  viewOf,
  type ListSection,
  type VirtualListHandle,
} from './list-sections.ts';
import { useLargeText } from './row-height.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import './virtual-list.css';

/** Rows that are rendered before and after the visible ones. */
const overscan = 6;

const none: readonly ListSection[] = [];

interface VirtualListProps {
  sections: readonly ListSection[];
  className?: string;
  busy?: boolean;
  /** The tab stop until the focus has been in the list. */
  selected?: string | null;
  /**
   * Whether the first visible row keeps its place when rows are added or removed above it. At the top of the list new
   * rows become visible instead, unless the pointer is on the list, or with `makeRoom`.
   */
  keepPlace?: boolean;
  /** Called before rows that arrive scroll the list, with how far, and while it is scrolled. */
  makeRoom?: ((list: HTMLElement, scrollTop: number) => void) | undefined;
  handle?: Ref<VirtualListHandle>;
  scroller?: RefObject<HTMLDivElement | null>;
  /** A key moves the focus to this row. */
  onMove?: (id: string) => void;
  /** Drawn after the rows, such as an error of the next page. */
  foot?: ReactNode;
  /** Drawn above the rows once `count` rows have arrived out of sight. */
  renderArrivals?: (count: number) => ReactNode;
}

/**
 * A list of any length, in one or more sections. Only the visible rows are rendered. One row is a tab stop; arrow keys,
 * Page Up, Page Down, Home and End move the focus from there. The row with the focus stays rendered, wherever the list
 * is scrolled. If the focused part of a row is removed, the row gets the focus, or else the row that is now in its place.
 */
export function VirtualList({
  sections,
  className = '',
  busy = false,
  selected = null,
  keepPlace = false,
  makeRoom,
  handle,
  scroller: givenScroller,
  onMove,
  foot,
  renderArrivals,
}: VirtualListProps) {
  const ownScroller = useRef<HTMLDivElement>(null);
  const scroller = givenScroller ?? ownScroller;
  const arrivals = useScrollAnchor({ scroller, sections: keepPlace ? sections : none, makeRoom });
  const { tabId, reveals, listeners } = useRowFocus({ sections, scroller, selected, handle, onMove });
  return (
    <div
      ref={scroller}
      className={`virtual-list ${useLargeText() ? 'large-text ' : ''}${className}`}
      tabIndex={-1}
      aria-busy={busy || undefined}
      role={sections[0]?.isTable ? 'rowgroup' : 'presentation'}
      {...listeners}
    >
      {arrivals > 0 && renderArrivals?.(arrivals)}
      {sections.map((section, number) => {
        const row = tabId === null ? -1 : section.rows.indexOf(tabId);
        return (
          <SectionRows
            key={section.label}
            section={section}
            scroller={scroller}
            tabRow={row < 0 ? null : (section.firstRow ?? 0) + row}
            reveal={(show) => {
              reveals.current[number] = show;
            }}
          />
        );
      })}
      {foot && (sections[0]?.isTable ? <InTable>{foot}</InTable> : foot)}
    </div>
  );
}

/** A part of a table that is no row of it. */
const InTable = ({ children }: { children: ReactNode }) => (
  <div role="row">
    <div role="cell">{children}</div>
  </div>
);

/** The next page is fetched when so many rows are left. */
export const nearEnd = 26;

interface SectionRowsProps {
  section: ListSection;
  scroller: RefObject<HTMLDivElement | null>;
  /** The row with the tab stop, if it is in this section. */
  tabRow: number | null;
  reveal: Ref<(row: number) => void>;
}

function SectionRows({ section, scroller, tabRow, reveal }: SectionRowsProps) {
  const { label, isTable = false, head, rows, rowHeight, firstRow = 0, onVisible, renderRow } = section;
  const count = countOf(section);
  const [List, Item] = isTable ? (['div', 'div'] as const) : (['ul', 'li'] as const);
  const { list, passed, ...visible } = useVisibleRows(section);
  const { height, excess } = heightOf(section);
  const rendered = rowsFrom(Math.max(0, visible.start - overscan), Math.min(count, visible.end + overscan));
  if (tabRow !== null && tabRow < count && !rendered.includes(tabRow)) rendered.push(tabRow);
  useImperativeHandle(reveal, () => (row: number) => {
    if (!scroller.current || !list.current) return;
    const view = viewOf(scroller.current);
    // Measured now: the list may have been scrolled since it was rendered.
    const scrolled = view.scrollTop - topIn(view, list.current);
    const place = scrolled + passedOver(section, view, scrolled);
    const start = row * rowHeight - place;
    const beyond = start + rowHeight - view.clientHeight;
    const isFar = start < -view.clientHeight || beyond > view.clientHeight;
    const scrollBy = (by: number) => view.scrollBy({ top: scrollOf(section, view, place + by) - scrolled });
    if (isFar) scrollBy((start + beyond) / 2);
    else if (start < 0) scrollBy(start);
    else if (beyond > 0) scrollBy(beyond);
  });

  const report = useEffectEvent(() => {
    if (!scroller.current || !list.current) return;
    const view = viewOf(scroller.current);
    // Measured now: the list may have been scrolled since it was rendered.
    const scrolled = view.scrollTop - topIn(view, list.current);
    const start = (scrolled + passedOver(section, view, scrolled)) / rowHeight;
    const end = start + view.clientHeight / rowHeight;
    const within = (row: number) => Math.min(Math.max(0, row), count);
    onVisible?.({ start: within(Math.floor(start)), end: within(Math.ceil(end)) });
  });
  useEffect(() => report());

  return (
    <>
      {head}
      <List
        ref={list}
        className="virtual-rows"
        aria-label={isTable ? undefined : label}
        // Rows that are far away do not make the list taller.
        style={excess > 0 ? { blockSize: tallest, overflow: 'clip' } : { blockSize: height }}
      >
        {rendered
          .toSorted((a, b) => a - b)
          .map((row) => {
            const id = row < firstRow ? undefined : rows.at(row - firstRow)?.id;
            const tabIndex = row === tabRow ? 0 : -1;
            return (
              <Item
                key={id ?? row}
                className="virtual-row"
                style={{ insetBlockStart: row * rowHeight - passed, blockSize: rowHeight }}
                aria-hidden={id === undefined || undefined}
                {...(isTable
                  ? // The first row has the headings.
                    { role: 'row', 'aria-rowindex': row + 2 }
                  : { 'aria-setsize': count, 'aria-posinset': row + 1 })}
              >
                {renderRow(row, tabIndex)}
              </Item>
            );
          })}
      </List>
    </>
  );
}

function rowsFrom(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

/** The rows in view, followed as the list is scrolled or resized. `list` is the ref of the list. */
function useVisibleRows(section: ListSection) {
  const list = useRef<HTMLUListElement & HTMLDivElement>(null);
  const { rowHeight } = section;
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(0);
  /** In whole rows, so that scrolling within a row renders nothing. */
  const [scrolled, setScrolled] = useState(0);
  const [passed, setPassed] = useState(0);
  const measure = useEffectEvent(() => {
    // The ref of the list's parent is set later than the first measurement.
    const parent = list.current?.parentElement;
    if (!list.current || !parent) return undefined;
    const view = viewOf(parent);
    const rowsTop = topIn(view, list.current);
    const over = passedOver(section, view, view.scrollTop - rowsTop);
    setTop(rowsTop);
    setHeight(view.clientHeight);
    setPassed(over);
    setScrolled(Math.floor((view.scrollTop + over) / rowHeight));
    return view;
  });
  // The height of the content above the rows may have changed in any render.
  useLayoutEffect(() => void measure());
  useLayoutEffect(() => {
    const parent = list.current?.parentElement;
    if (!parent) return undefined;
    const observer = new ResizeObserver(() => void measure());
    observer.observe(parent);
    let observed: Element = parent;
    // Not for the observer: WebKit reports an error for an element that is observed in the observer's own callback.
    const follow = () => {
      const view = measure();
      if (!view || view === observed) return;
      // Another element scrolls once the screen is low.
      observer.observe(view);
      observed = view;
    };
    follow();
    document.addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('resize', follow);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', follow, { capture: true });
      removeEventListener('resize', follow);
    };
  }, []);
  const start = scrolled - top / rowHeight;
  const end = height === 0 ? start : start + height / rowHeight;
  return { list, passed, start: Math.floor(start), end: Math.ceil(end) };
}
