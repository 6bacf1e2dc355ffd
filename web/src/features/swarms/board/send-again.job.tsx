import { againOf, invitationRequest } from '../swarm-writes.api.ts';
import { createInvitationAction } from './invitation-action.tsx';

export const {
  action: sendAgain,
  ResumeJobs,
  useJobs: useResends,
} = createInvitationAction({
  name: 'send_again',
  icon: 'send',
  requestOf: (row) => invitationRequest(againOf(row)),
  // A message and the headers of the request.
  bytesOf: ({ description = '' }) => 200 + 3 * description.length,
});
