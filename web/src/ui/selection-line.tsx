import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { RowCheckbox } from './checkbox.tsx';
import { useBackCloses } from './back-closes.ts';
import { touch, useMedia } from './media.ts';
import { KeyHint, useKeysEnabled } from './keys-provider.tsx';
import './selection-line.css';

interface SelectionLineProps {
  /** The label of the checkbox. */
  label: string;
  count: string;
  /** All rows are selected. */
  whole: boolean;
  /** No row is selected yet. */
  isEmpty?: boolean;
  /** The label of the button that selects all. */
  all: ReactNode;
  busy: boolean;
  clear: string;
  /** The button that clears is an icon at the end. */
  isCompact?: boolean;
  onAll(): void;
  onClear(): void;
  /** Actions on the selected rows. */
  children?: ReactNode;
}

/** How many rows are selected, with buttons to select all or none. On touch screens, Back ends the selection. */
export function SelectionLine({
  label,
  count,
  whole,
  isEmpty = false,
  all,
  busy,
  clear,
  isCompact = false,
  onAll,
  onClear,
  children,
}: SelectionLineProps) {
  const keys = useKeysEnabled();
  useBackCloses(useMedia(touch), onClear);
  return (
    <div className="selection-line">
      <RowCheckbox label={label} checked={whole} partly={!whole && !isEmpty} onToggle={whole ? onClear : onAll} />
      <output className={`selection-count numbers${isCompact ? ' one-line' : ''}`}>{count}</output>
      {!whole && (
        <Button look="quiet" size="row" busy={busy} onClick={onAll}>
          {all}
        </Button>
      )}
      {isCompact && children}
      {isCompact ? (
        <IconButton icon="close" look="quiet" label={clear} onClick={onClear} />
      ) : (
        <Button look="quiet" size="row" onClick={onClear}>
          {clear}
          {keys && <KeyHint keys="Esc" />}
        </Button>
      )}
      {!isCompact && children}
    </div>
  );
}
