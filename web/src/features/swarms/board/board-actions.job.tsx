import { createBulkAction } from '../../../bulk/bulk-action.tsx';
import type { ActionOptions, BulkRow } from '../../../bulk/bulk-action.tsx';
import type { BulkAction } from '../../../bulk/list-action.tsx';
import { CountList, countGroups } from '../../../bulk/count-list.tsx';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { againOf, invitationRequest } from '../swarm-writes.api.ts';
import type { SentInvitation } from '../swarm-writes.api.ts';

export type InvitationActionName = keyof (typeof t)['bulk']['invitation_actions'];
type InvitationRow = SentInvitation & BulkRow;

/** A bulk action on sent invitations. */
const createInvitationAction = ({
  name,
  ...options
}: Pick<ActionOptions<SentInvitation, object, InvitationRow>, 'icon' | 'isDangerous' | 'requestOf' | 'bytesOf'> & {
  name: InvitationActionName;
}) =>
  createBulkAction<SentInvitation, object, InvitationRow>({
    ...options,
    name: `board-${name}`,
    texts: () => t.bulk.invitation_actions[name],
    isUndoable: true,
    initial: {},
    Summary,
    rowOf: ({ id, to, resource_id, resource_type, description, swarm }) => ({
      ...{ id, name: to, to, resource_id, resource_type, swarm: { id: swarm.id } },
      ...(description !== undefined && { description }),
    }),
    labelOf: ({ to }) => <Rich text={t.board.doing_one[name]} to={<Bdi>{to}</Bdi>} />,
    keepsRows: true,
    changes: (rows) =>
      [...new Set(rows.map(({ swarm }) => swarm.id))].map((swarm_id) => ({
        type: 'invitation.sent',
        data: { swarm_id },
      })),
  });

/** Whose invitations they are. */
function Summary({ items }: { items: readonly SentInvitation[] }) {
  const recipients = countGroups(items.map(({ to }) => ({ id: to, name: to })));
  return (
    <div>
      {t.bulk.recipients}
      <CountList groups={recipients} line={t.bulk.invitation_line} />
    </div>
  );
}

const sendAgain = createInvitationAction({
  name: 'send_again',
  icon: 'send',
  requestOf: (row) => invitationRequest(againOf(row)),
  // A message and the headers of the request.
  bytesOf: ({ description = '' }) => 200 + 3 * description.length,
});

const withdraw = createInvitationAction({
  name: 'withdraw',
  icon: 'trash',
  isDangerous: true,
  requestOf: ({ swarm, id }) => ({ method: 'DELETE', path: `/api/swarms/${swarm.id}/invitations/${id}` }),
});

/** The menu of the selected invitations, in its order. */
export const boardActions: readonly BulkAction<SentInvitation>[] = [sendAgain.action, withdraw.action];
export const useResends = sendAgain.useJobs;
export const useWithdrawals = withdraw.useJobs;

/** For app/resume-jobs.tsx. */
export const ResumeJobs = () => (
  <>
    <sendAgain.ResumeJobs />
    <withdraw.ResumeJobs />
  </>
);
