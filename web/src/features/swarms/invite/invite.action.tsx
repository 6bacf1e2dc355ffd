/** Invitations from the Invite page, which shows the result of each line until the user dismisses it. */
import { registerAction } from '../../../api/action-kinds.ts';
import { actionLabels } from '../../../bulk/action-labels.tsx';
import { t } from '../../../text/text.ts';

registerAction('invite', {
  ...actionLabels(
    () => t.invite.kind,
    ({ swarm }) => ({ swarm: swarm.name }),
  ),
  changes: ({ about: { swarm } }) => [{ type: 'invitation.sent', data: { swarm_id: swarm.id } }],
});
