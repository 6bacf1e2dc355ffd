import { useState } from 'react';
import type { Member } from '@swarmdeck/bff/contract';
import type { ListSelection } from '../../../bulk/selection-bar.tsx';
import { allSelected, countSelected, isSelected, noSelection, toggle, toggleRange } from '../../../ui/selection.ts';
import type { Selection } from '../../../ui/selection.ts';
import { readMembers } from '../swarms.api.ts';
import type { MemberFilters } from './member-filters.ts';

/** The selected members of a swarm, of the page or of all pages. */
export function useMemberSelection({
  swarm_id,
  filters,
  rows,
  total,
}: {
  swarm_id: string;
  filters: MemberFilters;
  rows: readonly Member[];
  total: number | undefined;
}) {
  const key = JSON.stringify(filters);
  const [stored, setStored] = useState<Selection & { key: string; isActive: boolean }>({
    ...noSelection,
    key,
    isActive: false,
  });
  // "All" of other filters would be other members.
  const isOutdated = stored.all && stored.key !== key;
  const selection: Selection = isOutdated ? noSelection : stored;
  const isActive = stored.isActive && !isOutdated;
  const set = (next: Selection, active: boolean) => setStored({ ...next, key, isActive: active });

  const list: ListSelection = {
    isActive,
    isReading: false,
    count: countSelected(selection, total ?? 0),
    total,
    isWhole: selection.all && selection.ids.size === 0,
    has: (id) => isSelected(selection, id),
    toggle(id, range) {
      const order = rows.map((row) => row.id);
      const next = range ? toggleRange(selection, id, order) : toggle(selection, id);
      set(next, next.all || next.ids.size > 0);
    },
    begin: () => set(noSelection, true),
    selectAll: () => set(allSelected, true),
    clear: () => set(noSelection, false),
  };
  return {
    ...list,
    selection,
    /** Returns the selected members as they are now. */
    async read({ signal, onProgress }: { signal: AbortSignal; onProgress(read: number): void }): Promise<Member[]> {
      const known = rows.filter(({ id }) => isSelected(selection, id));
      if (!selection.all && known.length === selection.ids.size) return known;
      const found: Member[] = [];
      for await (const items of readMembers({ id: swarm_id, filters: selection.all ? filters : {}, signal })) {
        found.push(...items.filter(({ id }) => isSelected(selection, id)));
        onProgress(found.length);
      }
      return found;
    },
  };
}

export type MemberSelection = ReturnType<typeof useMemberSelection>;
