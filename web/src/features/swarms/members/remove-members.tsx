import type { ActionSwarm } from '@swarmdeck/bff/contract';
import { CountList, countGroups } from '../../../bulk/count-list.tsx';
import type { Items } from '../../../bulk/list-action.tsx';
import { t } from '../../../text/text.ts';
import { createMemberAction, type SelectedMember } from './member-action.ts';

export const removeMembers = (swarm: ActionSwarm) =>
  createMemberAction<object, 'remove_member'>({
    name: 'remove',
    kind: 'remove_member',
    icon: 'trash',
    isDangerous: true,
    initial: {},
    Summary,
    concerns: ({ actions }) => actions.remove,
    aboutOf: () => ({ swarm }),
  });

/** Whose devices they are. */
function Summary({ items }: Items<SelectedMember>) {
  if (items.length === 0) return null;
  return (
    <div>
      {t.bulk.owners}
      <CountList
        groups={countGroups(items.map(({ user_id }) => ({ id: user_id, name: user_id })))}
        line={t.bulk.device_line}
      />
    </div>
  );
}
