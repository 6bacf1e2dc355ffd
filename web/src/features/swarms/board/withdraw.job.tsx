import { createInvitationAction } from './invitation-action.tsx';

export const {
  action: withdraw,
  ResumeJobs,
  useJobs: useWithdrawals,
} = createInvitationAction({
  name: 'withdraw',
  icon: 'trash',
  isDangerous: true,
  requestOf: ({ swarm, id }) => ({ method: 'DELETE', path: `/api/swarms/${swarm.id}/invitations/${id}` }),
});
