import type { Action } from '@swarmdeck/bff/contract';
import { useActionRequests, useActions } from '../api/actions.ts';
import { useKeys } from '../ui/keys-provider.tsx';

/** Z undoes the last pending action, also before its toast has loaded. */
export function UndoKey() {
  const { undo } = useActionRequests();
  const last = lastPending(useActions());
  useKeys('undo', { z: () => last && void undo(last.id) });
  return null;
}

export const lastPending = (actions: readonly Action[]) => actions.findLast(({ state }) => state === 'pending');
