import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../data/actions/actions.ts';
import type { PendingItem } from '../../data/actions/shown-actions.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Button, type ButtonLook } from '../../ui/buttons/button.tsx';

interface UndoButtonProps extends ButtonLook {
  pending: PendingItem;
  /** Undoes the whole action instead of its item. */
  all?: boolean;
  children?: ReactNode;
}

/**
 * Undoes a pending action where it was started: its item in a row. Focus on it stops the countdown. The pointer does not:
 * the button may appear under the pointer that has started the action. It shows nothing once the action runs, or may run, unless it is
 * being undone.
 */
export function UndoButton({
  pending: { action, index, isUndoing },
  all = false,
  children = t.shell.kit.undo,
  look = 'accent',
  size = 'row',
}: UndoButtonProps) {
  const { undo, hold } = useActionRequests();
  const [isFocused, setFocused] = useState(false);
  const canUndo = useCanUndo(action);
  const { id } = action;
  useEffect(() => (isFocused && canUndo ? hold(id) : undefined), [isFocused, canUndo, hold, id]);
  if (!canUndo && !isUndoing) return null;
  const item = action.items?.[index];
  const isPart = !all && action.total > 1 && item && 'id' in item;
  return (
    <Button
      look={look}
      size={size}
      busy={isUndoing}
      acts
      onClick={() => void undo(id, isPart && item.id ? [item.id] : undefined)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {isUndoing ? t.devices.pending.undoing : children}
    </Button>
  );
}

/** What changes with the time while `ticks`, such as the seconds that are left. */
function useTicking<Value>(read: () => Value, ticks = true): Value {
  const [value, setValue] = useState(read);
  const tick = useEffectEvent(() => setValue(read));
  useEffect(() => {
    if (!ticks) return undefined;
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [ticks]);
  return value;
}

/** Whether it can be undone before it runs. */
export function useCanUndo(action: Action): boolean {
  const { canUndo } = useActionRequests();
  const isPending = action.state === 'pending';
  return useTicking(() => canUndo(action), isPending) && isPending;
}

/** "Undo (8 s)". The seconds begin once the server has answered. */
export function UndoCountdown({ action }: { action: Action }) {
  const { secondsLeft } = useActionRequests();
  const seconds = useTicking(() => secondsLeft(action));
  return (
    <span className="numbers">{seconds > 0 ? t.devices.pending.undo_in(formatNumber(seconds)) : t.shell.kit.undo}</span>
  );
}
