import { registerAction } from '../../../api/action-kinds.ts';
import { membershipTarget } from '../../../api/memberships.ts';
import { actionLabels } from '../../../bulk/action-labels.tsx';
import { t } from '../../../text/text.ts';

registerAction('join', {
  ...actionLabels(
    () => t.links.kind,
    ({ swarm }, item) => ({ swarm: swarm.name, name: item?.name ?? '' }),
  ),
  targets: ({ id }, { swarm }) => [membershipTarget({ swarm_id: swarm.id, resource_id: id })],
  changes: ({ about: { swarm } }) => [{ type: 'membership.changed', data: { swarm_id: swarm.id } }],
});
