import { againOf, sendInvitation } from '../swarm-writes.api.ts';
import { createInvitationAction } from './invitation-action.tsx';

export const {
  action: sendAgain,
  ResumeJobs,
  useJobs: useResends,
} = createInvitationAction({
  name: 'send_again',
  icon: 'send',
  send: (row, { key, keepalive }) => sendInvitation({ ...againOf(row), key, keepalive }),
  // A message and the headers of the request.
  bytesOf: ({ description = '' }) => 200 + 3 * description.length,
});
