import type { KeyboardEvent, MouseEvent, PointerEvent, ReactNode } from 'react';
import './row.css';

export type RowState = 'pending' | 'selected' | 'checked';

type RowClass = RowState | 'hovered' | 'stale' | 'selectable' | 'selecting';

/** Keep in step with the classes in row.css, which rows without a main button use directly. */
export function rowClass(...states: (RowClass | false | null | undefined)[]): string {
  return ['row', ...states.filter(Boolean).map((state) => `row-${String(state)}`)].join(' ');
}

/**
 * A row of a virtual list. Its button has a leading symbol, a title over a second line, and something at its end.
 * `actions` are beside the button.
 */
export function Row({
  id,
  tabIndex,
  state,
  hovered = false,
  className = '',
  checkbox,
  isSelecting = false,
  leading,
  title,
  name,
  meta,
  trailing,
  cells,
  actions,
  onSelect,
  onOpen,
  onHover,
}: {
  id: string;
  tabIndex: 0 | -1;
  state?: RowState | false | null | undefined;
  hovered?: boolean;
  className?: string;
  /** A checkbox. It is over the leading symbol while the row is hovered or focused. */
  checkbox?: ReactNode;
  /** The checkbox is always visible, beside the symbol. */
  isSelecting?: boolean;
  leading?: ReactNode;
  title: ReactNode;
  /** Read after the title, and not visible. */
  name?: string;
  meta?: ReactNode;
  trailing?: ReactNode;
  /** More columns. */
  cells?: ReactNode;
  actions?: ReactNode;
  onSelect(event: MouseEvent): void;
  /** Enter. Without it, Enter selects. */
  onOpen?: () => void;
  onHover?: (id: string | null) => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onOpen || event.key !== 'Enter' || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onOpen();
  };
  const hover = onHover && {
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && onHover(id),
    onPointerLeave: () => onHover(null),
  };
  const extra = [hovered && 'hovered', checkbox !== undefined && 'selectable', isSelecting && 'selecting'] as const;
  return (
    <div className={`${rowClass(state, ...extra)} ${className}`} {...hover}>
      {checkbox && <div className="row-checkbox">{checkbox}</div>}
      <button
        type="button"
        className="row-main"
        data-row={id}
        tabIndex={tabIndex}
        aria-current={state === 'selected' || undefined}
        onClick={onSelect}
        onKeyDown={onKeyDown}
      >
        {leading}
        <span className="row-words">
          <span className="row-title">{title}</span>
          {name !== undefined && <span className="visually-hidden">, {name}, </span>}
          {meta && <span className="row-meta">{meta}</span>}
        </span>
        {cells}
        {trailing && <span className="row-trailing">{trailing}</span>}
      </button>
      {actions}
    </div>
  );
}
