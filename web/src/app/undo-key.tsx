import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { useActions } from '../data/actions/shown-actions.ts';
import { useCommands } from '../ui/keys-provider.tsx';
import { lazyPart } from '../ui/lazy.tsx';

const UndoNewest = lazyPart(async () => (await import('./undo-newest.tsx')).UndoNewest);

/** Z undoes the last pending action, or else the newest one that can be undone. */
export function UndoKey() {
  const client = useQueryClient();
  const last = lastPending(useActions());
  const [isOpen, setOpen] = useState(false);
  // What has started the action has loaded.
  const undo = async (id: string) => void (await import('../data/actions/actions.ts')).actionsOf({ client }).undo(id);
  useCommands('undo', { undo_last: () => (last ? void undo(last.id) : setOpen(true)) });
  return isOpen && <UndoNewest onClose={() => setOpen(false)} />;
}

export const lastPending = (actions: readonly Action[]) => actions.findLast(({ state }) => state === 'pending');
