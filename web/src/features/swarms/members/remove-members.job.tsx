import { CountList, countGroups } from '../../../bulk/count-list.tsx';
import { t } from '../../../text/text.ts';
import { createMemberAction } from './member-action.ts';
import type { SelectedMember } from './member-action.ts';

export const {
  action: removeMembers,
  ResumeJobs,
  useJobs: useRemovals,
} = createMemberAction<object>({
  name: 'remove',
  icon: 'trash',
  isDangerous: true,
  initial: {},
  Summary,
  concerns: ({ acts }) => acts.remove,
  requestOf: ({ swarm_id, resource_id }) => ({
    method: 'DELETE',
    path: `/api/swarms/${swarm_id}/resources/${resource_id}`,
  }),
});

/** Whose devices they are. */
function Summary({ items }: { items: readonly SelectedMember[] }) {
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
