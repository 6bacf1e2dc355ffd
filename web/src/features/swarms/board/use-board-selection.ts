import type { Dispatch, SetStateAction } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { nothingSelected, useListSelection } from '../../../bulk/use-list-selection.ts';
import { isSelected } from '../../../ui/lists/selection.ts';
import { readBoard } from '../swarms.api.ts';

interface BoardSelectionOptions {
  swarm_id: string;
  rows: readonly InvitationItem[];
  /** The invitations that "select all" selects. */
  state: 'new' | 'stale';
  q: string;
  /** They outlive the list, which ends with its filters. */
  stored: typeof noInvitations;
  update: Dispatch<SetStateAction<typeof noInvitations>>;
  total: number;
}

/** What "all" means. */
type BoardFilters = Pick<BoardSelectionOptions, 'state' | 'q'>;
export const noInvitations = nothingSelected<BoardFilters>({ state: 'new', q: '' });

/** The selected open invitations, loaded or not, and how they are read for an action. */
export function useBoardSelection({ swarm_id, rows, state, q, stored, update, total }: BoardSelectionOptions) {
  // The selection changes with them.
  useActions();
  const { pendingOf } = useActionRequests();

  const isPending = (id: string) => pendingOf(`invitation:${id}`) !== undefined;
  const open = rows.filter(({ status }) => status === 'new').map(({ id }) => id);
  const selectable = new Set(open.filter((id) => !isPending(id)));
  const { checked, check } = useListSelection({
    // Without those that were answered meanwhile or have a pending action.
    stored: { ...stored, ids: new Set([...stored.ids].filter((id) => selectable.has(id))) },
    update,
    filters: { state, q },
    isOld: false,
    order: () => [...selectable],
    total: Math.max(0, total - (open.length - selectable.size)),
  });
  const { selection } = checked;
  return {
    checked: {
      ...checked,
      isActive: checked.count > 0,
      has: (id: string) => selectable.has(id) && checked.has(id),
    },
    check,
    /** Returns the selected invitations as they are now. */
    async read(options: { signal: AbortSignal; onProgress(read: number): void }): Promise<InvitationItem[]> {
      if (!selection.all) return rows.filter(({ id }) => selection.ids.has(id));
      const found = await readBoard({ id: swarm_id, state, q, ...options });
      return found.filter(({ id }) => isSelected(selection, id) && !isPending(id));
    },
  };
}
