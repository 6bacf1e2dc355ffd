import { registerAction } from '../../../api/action-kinds.ts';
import { actionLabels } from '../../../bulk/action-labels.tsx';
import { t } from '../../../text/text.ts';

registerAction('ask_to_join', {
  ...actionLabels(
    () => t.requests.kind,
    ({ swarm }, item) => ({ swarm: swarm.name, name: item?.name ?? '' }),
  ),
  changes: () => [{ type: 'invitations.changed', data: {} }],
});
