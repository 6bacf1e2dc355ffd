import { withdrawInvitation } from '../swarm-writes.api.ts';
import { createInvitationAction } from './invitation-action.tsx';

export const {
  action: withdraw,
  ResumeJobs,
  useJobs: useWithdrawals,
} = createInvitationAction({
  name: 'withdraw',
  icon: 'trash',
  isDangerous: true,
  send: ({ swarm, id }, { keepalive }) => withdrawInvitation({ swarm_id: swarm.id, id, keepalive }),
});
