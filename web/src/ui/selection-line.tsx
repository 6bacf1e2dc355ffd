import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Tick } from './checkbox.tsx';
import { KeyHint } from './key-hint.tsx';
import { useKeysEnabled } from './keys-provider.tsx';
import './selection-line.css';

/** How many are ticked, and how to tick all there are or none. */
export function SelectionLine({
  tick,
  count,
  whole,
  all,
  busy,
  clear,
  onAll,
  onClear,
  children,
}: {
  /** What the tick of all is called. */
  tick: string;
  count: string;
  /** All there are, are. */
  whole: boolean;
  /** How the others are ticked, too. */
  all: ReactNode;
  busy: boolean;
  clear: string;
  onAll(): void;
  onClear(): void;
  /** What can be done with them. */
  children?: ReactNode;
}) {
  const keys = useKeysEnabled();
  return (
    <div className="selection-line">
      <Tick label={tick} checked={whole} partly={!whole} onTick={whole ? onClear : onAll} />
      <output className="selection-count numbers">{count}</output>
      {!whole && (
        <Button look="quiet" size="row" busy={busy} onClick={onAll}>
          {all}
        </Button>
      )}
      <Button look="quiet" size="row" onClick={onClear}>
        {clear}
        {keys && <KeyHint keys="Esc" />}
      </Button>
      {children}
    </div>
  );
}
