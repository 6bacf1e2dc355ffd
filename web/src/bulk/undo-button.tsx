import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { usePendingActions } from '../api/pending-actions.ts';
import { Button } from '../ui/button.tsx';
import type { ButtonLook } from '../ui/button.tsx';

/**
 * Undoes a pending action where it was started: in its row. Focus on it pauses the countdown. The pointer does not: the
 * button may appear under the pointer that has started the action.
 */
export function UndoButton({
  action,
  onUndo,
  children,
  look = 'accent',
  size = 'row',
  disabled,
}: {
  /** The key of the pending action. */
  action: string;
  /** Undoes a part of the action. Default: all of it. */
  onUndo?: (() => void) | undefined;
  disabled?: boolean;
  children: ReactNode;
} & ButtonLook) {
  const pending = usePendingActions();
  const [isFocused, setFocused] = useState(false);
  useEffect(() => (isFocused ? pending.pause(action) : undefined), [isFocused, pending, action]);
  return (
    <Button
      look={look}
      size={size}
      disabled={disabled}
      onClick={onUndo ?? (() => pending.undo(action))}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {children}
    </Button>
  );
}
