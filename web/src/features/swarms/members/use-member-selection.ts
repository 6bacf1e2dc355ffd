import { useState } from 'react';
import type { ActionFilter, Member } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { nothingSelected, useListSelection } from '../../../bulk/use-list-selection.ts';
import { isSelected } from '../../../ui/selection.ts';
import { membersListQuery, readMembers } from '../swarms.api.ts';
import type { MemberFilters } from './member-filters.ts';

const isSame = (one: MemberFilters, other: MemberFilters) => JSON.stringify(one) === JSON.stringify(other);

interface MemberSelectionOptions {
  swarm_id: string;
  filters: MemberFilters;
  rows: readonly Member[];
  total: number | undefined;
}

/** The selected members of a swarm, of the page or of all pages. */
export function useMemberSelection({ swarm_id, filters, rows, total }: MemberSelectionOptions) {
  const [stored, update] = useState(() => nothingSelected(filters));
  const order = () => rows.map((row) => row.id);
  const list = useListSelection({ stored, update, filters, isSame, order, total });
  const { selection } = list;
  const loaded = () => rows.filter(({ id }) => isSelected(selection, id));
  return {
    ...list,
    loaded,
    /** What "all" means, for the server. */
    filter:
      selection.all && selection.ids.size <= actionLimits.part
        ? ({
            list: 'members',
            swarm_id,
            query: membersListQuery(filters),
            ...(selection.ids.size > 0 && { except: [...selection.ids] }),
          } satisfies ActionFilter)
        : undefined,
    /** Returns the selected members as they are now. */
    async read({ signal, onProgress }: { signal: AbortSignal; onProgress(read: number): void }): Promise<Member[]> {
      const known = loaded();
      if (!selection.all && known.length === selection.ids.size) return known;
      const found: Member[] = [];
      for await (const { items } of readMembers({ id: swarm_id, filters: selection.all ? filters : {}, signal })) {
        found.push(...items.filter(({ id }) => isSelected(selection, id)));
        onProgress(found.length);
      }
      return found;
    },
  };
}

export type MemberSelection = ReturnType<typeof useMemberSelection>;
