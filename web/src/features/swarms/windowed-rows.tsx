import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { CSSProperties, FocusEvent, KeyboardEvent, ReactNode, Ref } from 'react';
import { useWindow } from '../../ui/list.tsx';
import './windowed-rows.css';

/** What other parts of the page ask of the rows. */
export interface RowsHandle {
  /** Moves the focus to a row, or to the one that had it last. */
  focus(row?: number): void;
  /** Scrolls as little as needed. */
  reveal(row: number): void;
  /** The focus to the next row, or the one before; first of all to the list. */
  step(by: 1 | -1): void;
  /** Which row has the focus. */
  focused(): number | null;
}

/** Spread on the row's element, and `tabStop` on what in it takes the focus. */
export interface RowFrame {
  row: number;
  style: CSSProperties;
  'aria-setsize': number;
  'aria-posinset': number;
  /** One row of the list is a tab stop, arrow keys go on from it. */
  tabStop: { tabIndex: 0 | -1; 'data-row': number };
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** The rows in sight of however many there are, with arrow keys from one to the next. */
export function WindowedRows({
  label,
  count,
  rowHeight,
  className = '',
  handle,
  onNearEnd,
  renderRow,
}: {
  label: string;
  /** How many are loaded. */
  count: number;
  rowHeight: number;
  className?: string;
  handle?: Ref<RowsHandle>;
  /** The last rows are coming into sight. */
  onNearEnd(): void;
  renderRow(frame: RowFrame): ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const wanted = useRef<number | null>(null);
  const tabRow = Math.max(0, Math.min(active, count - 1));
  const { rows, height, offset, reveal } = useWindow({ scroller, list: body, count, rowHeight, keep: tabRow });

  const last = rows.at(-1) ?? 0;
  useEffect(() => {
    if (last >= count - 20) onNearEnd();
  }, [last, count, onNearEnd]);

  const focusNow = () => {
    const target = body.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (!target) return;
    wanted.current = null;
    target.focus({ preventScroll: true });
  };
  // a row far away is rendered first
  useEffect(() => {
    if (wanted.current !== null) focusNow();
  });
  const go = (row: number) => {
    wanted.current = row;
    reveal(row);
    setActive(row);
    focusNow();
  };
  const clamped = (row: number) => Math.min(Math.max(0, row), count - 1);
  const focused = () => (scroller.current?.contains(document.activeElement) ? tabRow : null);
  useImperativeHandle(handle, () => ({
    focus: (row = tabRow) => go(row),
    reveal,
    step: (by) => go(focused() === null ? tabRow : clamped(tabRow + by)),
    focused,
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    // arrows within a menu of a row are the menu's
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!(event.target as Element).matches('[data-row]')) return;
    const ends: Record<string, number> = { Home: 0, End: count - 1 };
    const step = steps[event.key];
    const row = step === undefined ? ends[event.key] : tabRow + step;
    if (row === undefined) return;
    event.preventDefault();
    go(clamped(row));
  };
  const onFocus = (event: FocusEvent) => {
    const row = Number((event.target as HTMLElement).dataset['row'] ?? Number.NaN);
    if (!Number.isNaN(row)) setActive(row);
  };
  return (
    <div
      ref={scroller}
      className={`windowed ${className}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      role="presentation"
    >
      <ul ref={body} className="windowed-rows" aria-label={label} style={{ blockSize: height }}>
        {rows.map((row) =>
          renderRow({
            row,
            style: { insetBlockStart: offset(row), blockSize: rowHeight },
            'aria-setsize': count,
            'aria-posinset': row + 1,
            tabStop: { tabIndex: row === tabRow ? 0 : -1, 'data-row': row },
          }),
        )}
      </ul>
    </div>
  );
}
