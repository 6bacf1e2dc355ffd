import { useState } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { useActionRequests, useActions } from '../api/actions.ts';
import { useKeys } from '../ui/keys-provider.tsx';
import { lazyPart } from '../ui/lazy.tsx';

const UndoNewest = lazyPart(async () => (await import('./undo-newest.tsx')).UndoNewest);

/** Z undoes the last pending action, also before its toast has loaded, or else the newest one that can be undone. */
export function UndoKey() {
  const { undo } = useActionRequests();
  const last = lastPending(useActions());
  const [isOpen, setOpen] = useState(false);
  useKeys('undo', { z: () => (last ? void undo(last.id) : setOpen(true)) });
  return isOpen && <UndoNewest onClose={() => setOpen(false)} />;
}

export const lastPending = (actions: readonly Action[]) => actions.findLast(({ state }) => state === 'pending');
