import type { ActionFilter, Member } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { isSelected } from '../../../ui/lists/selection.ts';
import { membersListQuery, readMembers } from '../swarms.api.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useMembers } from './members-state.ts';
import { useMemberFilters } from './use-member-filters.ts';

/** The selected members for an action. */
export function useSelectedMembers() {
  const { swarm } = useShownSwarm();
  const { filters } = useMemberFilters();
  const { rows } = useMembers('list');
  const { selection } = useMembers('selection').checked;
  const loaded = () => rows.filter(({ id }) => isSelected(selection, id));
  return {
    loaded,
    /** What "all" means, for the server. */
    filter:
      selection.all && selection.ids.size <= actionLimits.part
        ? ({
            list: 'members',
            swarm_id: swarm.id,
            query: membersListQuery(filters),
            ...(selection.ids.size > 0 && { except: [...selection.ids] }),
          } satisfies ActionFilter)
        : undefined,
    /** Returns the selected members as they are now. */
    async read({ signal, onProgress }: { signal: AbortSignal; onProgress(read: number): void }): Promise<Member[]> {
      const known = loaded();
      if (!selection.all && known.length === selection.ids.size) return known;
      const found: Member[] = [];
      for await (const { items } of readMembers({ id: swarm.id, filters: selection.all ? filters : {}, signal })) {
        found.push(...items.filter(({ id }) => isSelected(selection, id)));
        onProgress(found.length);
      }
      return found;
    },
  };
}
