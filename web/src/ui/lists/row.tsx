import type { ComponentProps, KeyboardEvent, MouseEvent, PointerEvent, ReactNode } from 'react';
import { RowCheckbox } from './row-checkbox.tsx';
import { useLongPress } from '../buttons/long-press.ts';
import { touch } from '../browser/media.ts';
import './row.css';

type RowState = 'pending' | 'selected' | 'checked';

type RowClass = RowState | 'hovered' | 'stale' | 'selectable' | 'selecting';

/** Keep in step with the classes in row.css, which rows without a main button use directly. */
export function rowClass(...states: (RowClass | false | null | undefined)[]): string {
  return ['row', ...states.filter(Boolean).map((state) => `row-${String(state)}`)].join(' ');
}

interface RowProps {
  id: string;
  tabIndex: 0 | -1;
  state?: RowState | false | null | undefined;
  hovered?: boolean;
  className?: string;
  /** Given: the row has a checkbox. It is over the leading symbol while the row is hovered or focused. */
  selection?: {
    label: ReactNode;
    isChecked: boolean;
    /**
     * The checkbox is always visible, beside the symbol. On touch screens, a tap on the row toggles it. Before, a long
     * press does.
     */
    isActive: boolean;
    /** `range`: with all rows from the last selected one. */
    toggle(range: boolean): void;
  };
  /** What its button says: `RowWords`. */
  children: ReactNode;
  /** More columns: the row is one of a table, and these are its cells between the name and the actions. */
  cells?: ReactNode;
  actions?: ReactNode;
  /** What `useSwipe` returns. */
  gestures?: ComponentProps<'div'>;
  onSelect(): void;
  /** Enter and double click. Without it, Enter selects. */
  onOpen?: () => void;
  /** By a finger. Without it, a long press toggles the checkbox of `selection`. */
  onLongPress?: (() => void) | undefined;
  onHover?: (id: string | null) => void;
}

interface RowWordsProps {
  leading?: ReactNode;
  title: ReactNode;
  /** Read after the title, and not visible. */
  name?: string;
  meta?: ReactNode;
  trailing?: ReactNode;
}

/** A leading symbol, a title over a second line, and something at the end. */
export function RowWords({ leading, title, name, meta, trailing }: RowWordsProps) {
  return (
    <>
      {leading}
      <span className="fill row-words">
        <span className="strong row-title one-line">{title}</span>
        {name !== undefined && <span className="visually-hidden">, {name}, </span>}
        {meta && <span className="row-meta quiet one-line">{meta}</span>}
      </span>
      {trailing && <span className="row-trailing quiet">{trailing}</span>}
    </>
  );
}

/** A row of a virtual list: a button, and `actions` beside it. */
export function Row({
  id,
  tabIndex,
  state,
  hovered = false,
  className = '',
  selection,
  children,
  cells,
  actions,
  gestures,
  onSelect,
  onOpen,
  onLongPress,
  onHover,
}: RowProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onOpen || event.key !== 'Enter' || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onOpen();
  };
  const hover = onHover && {
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && onHover(id),
    onPointerLeave: () => onHover(null),
  };
  const onClick = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    const isTap = selection?.isActive && matchMedia(touch).matches;
    if (selection && (shiftKey || ctrlKey || metaKey || isTap)) selection.toggle(shiftKey);
    else onSelect();
  };
  const longPress = useLongPress(onLongPress ?? (selection && (() => selection.toggle(false))));
  const states = [
    state || (selection?.isChecked && 'checked'),
    hovered && 'hovered',
    selection && 'selectable',
    selection?.isActive && 'selecting',
  ] as const;
  const main = (
    <button
      type="button"
      className="line gap-3 fill row-main"
      data-row={id}
      tabIndex={tabIndex}
      aria-current={state === 'selected' || undefined}
      onClick={onClick}
      onDoubleClick={onOpen}
      onKeyDown={onKeyDown}
      {...longPress}
    >
      {children}
    </button>
  );
  const inCell = (part: ReactNode) => (
    <div role="cell" className="row-cell">
      {part}
    </div>
  );
  return (
    <div className={`${rowClass(...states)} ${className}`} {...hover} {...gestures}>
      {selection && (
        <div className="row-checkbox" role={cells ? 'cell' : undefined}>
          <RowCheckbox
            label={selection.label}
            checked={selection.isChecked}
            tabIndex={tabIndex}
            onToggle={selection.toggle}
          />
        </div>
      )}
      {cells ? (
        <>
          {inCell(main)}
          {cells}
          {inCell(actions)}
        </>
      ) : (
        <>
          {main}
          {actions}
        </>
      )}
    </div>
  );
}
