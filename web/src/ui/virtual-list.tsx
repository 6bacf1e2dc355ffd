import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { low } from './media.ts';
import { useFocusRestore } from './use-focus-after-removal.ts';
import { useEventListener } from './use-event-listener.ts';
import './virtual-list.css';

export interface Identified {
  id: string;
}

/** The loaded rows of a section. A changed row makes a new object. */
export interface ListRows {
  length: number;
  at(row: number): Identified | undefined;
  /** -1 if no row has this id. */
  indexOf(id: string): number;
}

export interface ListSection {
  label: string;
  /** The rows belong to a table. Its element, with the headings, is around the list. */
  isTable?: boolean;
  /** Scrolls with the rows. */
  head?: ReactNode;
  rows: ListRows;
  /** In px. */
  rowHeight: number;
  /** How many rows come before the loaded ones. */
  firstRow?: number;
  /** All rows, loaded or not. Default: the loaded ones. */
  count?: number;
  /** Loads all rows, so that End can go to the last one. */
  loadAll?: () => Promise<readonly Identified[]>;
  /** Called after each render with the visible rows, to load more. `end` is the row after the last one. */
  onVisible?: (visible: { start: number; end: number }) => void;
  /**
   * Draws a row, or a skeleton if the row is not loaded. The element that takes the focus has `tabIndex` and
   * `data-row={id}`.
   */
  renderRow: (row: number, tabIndex: 0 | -1) => ReactNode;
}

export interface VirtualListHandle {
  /** Moves the focus to a row if it is loaded; without an id, to the row that had it last, or to the empty list. */
  focus(id?: string): void;
  /** Scrolls to a row if it is loaded: as little as needed, or to the middle if the row is far away. */
  reveal(id: string): void;
  /** Moves the focus to the next or the previous row, or first of all into the list. */
  step(by: 1 | -1): void;
  /** The row that has the focus. */
  focused(): string | null;
  scrollToTop(): void;
}

const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
  Home: -Infinity,
  End: Infinity,
};

/** Rows that are rendered before and after the visible ones. */
const overscan = 6;

const none: readonly ListSection[] = [];
const countOf = ({ rows, firstRow = 0, count = 0 }: ListSection) => Math.max(firstRow + rows.length, count);

/** In px. Browsers draw nothing beyond 33.5 million px, Firefox beyond 17.9. */
const tallest = 15_000_000;

/** The px of all rows, and how many of them are more than a list can be tall. Scrolling passes over these. */
function heightOf(section: ListSection) {
  const height = countOf(section) * section.rowHeight;
  return { height, excess: Math.max(0, height - tallest) };
}

const share = (part: number, whole: number) => Math.min(Math.max(0, part / whole), 1);

/** How many px of rows have been passed over once a list is scrolled by `scrolled` px. */
function passedOver(section: ListSection, view: Element, scrolled: number): number {
  const { excess } = heightOf(section);
  return excess === 0 ? 0 : excess * share(scrolled, tallest - view.clientHeight);
}

/** By how many px a list must be scrolled so that the view starts `place` px after the first row. */
function scrollOf(section: ListSection, view: Element, place: number): number {
  const { height, excess } = heightOf(section);
  return excess === 0 ? place : place - excess * share(place, height - view.clientHeight);
}

/** Loaded rows of all sections as one sequence. */
function sequenceOf(sections: readonly ListSection[]) {
  const length = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    length,
    idAt(index: number): string | null {
      let start = 0;
      for (const { rows } of sections) {
        if (index < start + rows.length) return rows.at(index - start)?.id ?? null;
        start += rows.length;
      }
      return null;
    },
    /** -1 if no section has this id. `label`: of the section that may have it. */
    indexOf(id: string | null, label?: string): number {
      let start = 0;
      for (const { rows, ...section } of sections) {
        const row = id === null || (label ?? section.label) !== section.label ? -1 : rows.indexOf(id);
        if (row >= 0) return start + row;
        start += rows.length;
      }
      return -1;
    },
    /** The section that holds a row, and the index after its last row. */
    sectionAt(index: number) {
      let end = 0;
      for (const section of sections) {
        end += section.rows.length;
        if (index < end) return { section, end };
      }
      return undefined;
    },
  };
}

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
  const [active, setActive] = useState<{ id: string; index: number; label: string | undefined } | null>(null);
  const focusWanted = useRef<{ id: string; scrolls: boolean } | null>(null);
  const reveals = useRef<(((row: number) => void) | null)[]>([]);
  const sequence = sequenceOf(sections);
  const { length, indexOf } = sequence;
  const inSequence = (index: number) => Math.min(Math.max(0, index), length - 1);

  // The tab stop does not follow its row to another section, which may be far away.
  const activeAt = active ? indexOf(active.id, active.label) : -1;
  const tabAt = [activeAt, indexOf(selected), inSequence(active?.index ?? 0)].find((index) => index >= 0);
  const tabId = tabAt === undefined ? null : sequence.idAt(tabAt);
  const arrivals = useScrollAnchor({ scroller, sections: keepPlace ? sections : none, makeRoom });

  const activate = (id: string) => {
    const index = indexOf(id);
    setActive({ id, index, label: sequence.sectionAt(index)?.section.label });
  };
  const reveal = (id: string) => {
    const number = sections.findIndex(({ rows }) => rows.indexOf(id) >= 0);
    const section = sections[number];
    if (section) reveals.current[number]?.((section.firstRow ?? 0) + section.rows.indexOf(id));
  };
  const focusNow = () => {
    if (!focusWanted.current) return;
    const { id, scrolls } = focusWanted.current;
    if (scrolls) reveal(id);
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    if (!row) return;
    focusWanted.current = null;
    row.focus({ preventScroll: true });
  };
  // A row that is far away, or has just been loaded, must be rendered first.
  useEffect(focusNow);
  const focus = (id: string | null, scrolls = true) => {
    if (id === null) return;
    focusWanted.current = { id, scrolls };
    activate(id);
    focusNow();
  };
  const move = (id: string | null) => {
    if (id !== null) onMove?.(id);
    focus(id);
  };
  const focusList = (scrolls = true) => {
    if (tabId === null) scroller.current?.focus();
    else focus(tabId, scrolls);
  };
  const focusRestore = useFocusRestore(() => {
    // Only the user scrolls: the focused row may be out of view.
    if (scroller.current) focusList(false);
    else document.querySelector('main')?.focus({ preventScroll: true });
  });
  const hasFocus = () => scroller.current?.contains(document.activeElement) ?? false;
  useImperativeHandle(handle, () => ({
    focus: (id) => {
      if (id === undefined) focusList();
      else if (indexOf(id) >= 0) focus(id);
    },
    reveal(id) {
      if (indexOf(id) < 0) return;
      reveal(id);
      activate(id);
    },
    step: (by) => focus(hasFocus() ? sequence.idAt(inSequence((tabAt ?? 0) + by)) : tabId),
    focused: () => (hasFocus() ? tabId : null),
    scrollToTop: () => scroller.current && viewOf(scroller.current).scrollTo({ top: 0 }),
  }));

  const goToEnd = async (section?: ListSection) => {
    try {
      const last = section?.loadAll ? (await section.loadAll()).at(-1) : section?.rows.at(section.rows.length - 1);
      move(last?.id ?? null);
    } catch {
      // The list shows the error, and the focus stays.
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Arrow keys in a menu of a row are handled by the menu.
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = steps[event.key];
    if (by === undefined || tabAt === undefined || !(event.target as Element).matches('[data-row]')) return;
    event.preventDefault();
    const at = sequence.sectionAt(tabAt);
    if (!at) return;
    const { section, end } = at;
    const isPartial = countOf(section) > (section.firstRow ?? 0) + section.rows.length;
    if (event.key === 'End') void goToEnd(isPartial || tabAt < end - 1 ? section : sections.at(-1));
    // Does not skip rows that are not loaded yet.
    else move(sequence.idAt(Math.min(isPartial ? end - 1 : length - 1, inSequence(tabAt + by))));
  };
  const onFocus = (event: FocusEvent) => {
    focusRestore.onFocus(event);
    const id = event.target.closest('.virtual-row')?.querySelector<HTMLElement>('[data-row]')?.dataset['row'];
    if (id !== undefined && id !== active?.id) activate(id);
  };
  return (
    <div
      ref={scroller}
      className={`virtual-list ${className}`}
      tabIndex={-1}
      aria-busy={busy || undefined}
      role={sections[0]?.isTable ? 'rowgroup' : 'presentation'}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={focusRestore.onBlur}
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
    // measured now: the list may have been scrolled since it was rendered
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
    // measured now: the list may have been scrolled since it was rendered
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

/**
 * The element that scrolls the rows: the list itself, or a part of the page around it, if the list has the class `in-page`
 * or the screen is low.
 */
export function viewOf(list: Element): Element {
  if (!list.matches('.in-page') && !matchMedia(low).matches) return list;
  for (let at: Element | null = list; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.documentElement;
}

/** How far an element is from the start of what scrolls it, in px. The scroller must be positioned, or the whole page. */
function topIn(view: Element, element: HTMLElement): number {
  let top = 0;
  for (let at: Element | null = element; at instanceof HTMLElement && at !== view; at = at.offsetParent) {
    top += at.offsetTop;
  }
  return top;
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
    const follow = () => {
      const view = measure();
      // Another element scrolls once the screen is low.
      if (view) observer.observe(view);
    };
    const observer = new ResizeObserver(follow);
    observer.observe(parent);
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

interface ScrollAnchorOptions extends Pick<ComponentProps<typeof VirtualList>, 'makeRoom'> {
  scroller: RefObject<HTMLDivElement | null>;
  sections: readonly ListSection[];
}

/**
 * Scrolls by the height of the rows that were added or removed above the first visible row (`keepPlace`). Returns how
 * many rows were added out of sight.
 */
function useScrollAnchor({ scroller, sections, makeRoom }: ScrollAnchorOptions): number {
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
