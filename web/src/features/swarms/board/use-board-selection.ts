import { useMemo, useState } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { ListSelection } from '../../../bulk/selection-bar.tsx';
import { t } from '../../../text/text.ts';
import { noSelection, selectIds, toggle, toggleRange } from '../../../ui/selection.ts';
import type { Selection } from '../../../ui/selection.ts';
import { useErrorToast } from '../../../ui/toast.tsx';
import { readBoard } from '../swarms.api.ts';
import { useResends } from './send-again.job.tsx';
import { useWithdrawals } from './withdraw.job.tsx';

/** The selected open invitations, including those that the list has not loaded. */
export function useBoardSelection({
  swarm_id,
  rows,
  state,
  total,
}: {
  swarm_id: string;
  rows: readonly InvitationItem[];
  /** The invitations that "select all" selects. */
  state: 'new' | 'stale';
  total: number;
}): Omit<ListSelection, 'begin'> & { items: readonly InvitationItem[] } {
  const withdrawals = useWithdrawals();
  const resends = useResends();
  const showError = useErrorToast();
  const [selection, setSelection] = useState<Selection>(noSelection);
  const [read, setRead] = useState<readonly InvitationItem[]>([]);
  const [isReading, setReading] = useState(false);

  const items = useMemo(() => {
    if (selection.ids.size === 0) return [];
    const known = new Map([...read, ...rows].map((item) => [item.id, item]));
    // Without those that were answered meanwhile or have a pending action.
    return [...selection.ids].flatMap((id) => {
      const item = known.get(id);
      return item?.status === 'new' && !withdrawals.jobOf(id) && !resends.jobOf(id) ? [item] : [];
    });
  }, [selection, read, rows, withdrawals, resends]);
  const ids = useMemo(() => new Set(items.map(({ id }) => id)), [items]);

  async function selectAll() {
    setReading(true);
    try {
      const found = await readBoard({ id: swarm_id, state });
      setRead(found);
      setSelection(selectIds(found.map(({ id }) => id)));
    } catch (error) {
      showError(error, t.board.not_selected);
    }
    setReading(false);
  }

  return {
    items,
    isActive: items.length > 0,
    isReading,
    count: items.length,
    total,
    isWhole: items.length >= total,
    has: (id) => ids.has(id),
    toggle(id, range) {
      const order = rows.filter(({ status }) => status === 'new').map((row) => row.id);
      setSelection((now) => (range ? toggleRange(now, id, order) : toggle(now, id)));
    },
    selectAll: () => void selectAll(),
    clear: () => setSelection(noSelection),
  };
}
