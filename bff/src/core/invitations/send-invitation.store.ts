/** Sends invitations. */
import type { InvitationRole, InvitationSend } from '../../contract.ts';
import { quotaExceeded } from '../limits/quotas.ts';
import { searchText } from '../store/search-text.ts';
import { firstRow, sql, type Statement } from '../store/statement.ts';
import type { InvitationRow } from '../store/row-types.ts';
import { invitationActivity, resentInvitation } from '../activity/activity.store.ts';
import type { Claim } from '../endpoint/idempotency.store.ts';
import { isOpen } from '../store/visibility.ts';
import { mayStill, withinQuota } from '../endpoint/write-checks.store.ts';
import { type Deps } from './invitation-row.ts';

type SendResult = Pick<InvitationRow, 'id' | 'sent_at'> | 'no swarm' | 'not allowed' | 'no resource' | 'has role';

export interface Sent {
  from: string;
  actor: string;
  swarmId: string;
  body: Omit<InvitationSend, 'resource_type'>;
  roles: readonly { id: string; role: InvitationRole }[];
  claim: Claim;
}

/**
 * There is one open invitation for a resource, swarm and role: sending it again renews its time and text. For a role that the resource has,
 * it offers a later end. Those for
 * two roles are sent together. The result is the first one, and does not reveal whether the user exists. `from`: the
 * owner of the swarm; `actor`: the owner or a manager.
 */
export async function send({ db, quotas, now }: Deps, invitation: Sent): Promise<SendResult> {
  const { from, actor, swarmId, body, roles, claim } = invitation;
  const { to, resource_id } = body;
  const at = now().toISOString();
  const invitations = roles.map(({ id, role }) => ({
    id,
    from,
    sentBy: actor,
    swarmId,
    body: { ...body, resource_type: role },
    at,
  }));
  const [first, ...others] = invitations.map(sending) as [Statement<'has role'>, ...Statement<'has role'>[]];
  const written = await db.write([
    ...roles.map(({ role }) => resentInvitation({ actor, at, swarmId, resourceId: resource_id, role })),
    {
      sql: 'SELECT 1 FROM swarms WHERE id = $1 AND user_id = $2 FOR SHARE',
      params: [swarmId, from],
      orFail: 'no swarm',
    },
    mayStill({ operation: 'sendInvitation', swarmId, userId: actor }),
    {
      sql: 'SELECT 1 FROM resources WHERE id = $1 AND user_id = $2 FOR SHARE',
      params: [resource_id, to],
      orFail: 'no resource',
    },
    { ...first, isResult: true },
    ...others,
    withinQuota({ userId: from, kind: 'invitations', allowed: quotas.invitations }),
    ...roles.map(({ id }) => invitationActivity({ kind: 'invitation.sent', actor, at, id })),
    ...(body.ends_at === undefined
      ? []
      : roles.map(({ id }) => invitationActivity({ kind: 'invitation.end_offered', actor, at, id }))),
    ...claim(
      () => sql`SELECT id || ' ' || sent_at FROM invitations WHERE swarm_id = ${swarmId}
          AND resource_id = ${resource_id} AND resource_type = ${roles[0]!.role} AND status = 'new'`,
    ),
  ]);
  if (written.ok) return firstRow<Pick<InvitationRow, 'id' | 'sent_at'>>(written.rows);
  if (written.failed === 'too many invitations') throw quotaExceeded('invitations', quotas);
  return written.failed;
}

/**
 * An open invitation for the same resource, swarm and role gets a new time and text, and keeps its id. One for a role that the resource has
 * is sent only if it offers a later end than the membership has: one without an end is refused.
 */
export function sending(invitation: {
  id: string;
  from: string;
  sentBy: string | null;
  swarmId: string;
  body: InvitationSend;
  at: string;
  /** How the device joins, if nobody sends the invitation. */
  joinedBy?: InvitationRow['joined_by'];
}): Statement<'has role'> {
  const { id, from, sentBy, swarmId, body, at, joinedBy = null } = invitation;
  const { to, resource_id, resource_type, description = null, label = null, ends_at = null } = body;
  const folded = label === null ? null : searchText(label);
  const member = `SELECT 1 FROM memberships WHERE swarm_id = $4 AND resource_id = $5 AND resource_type IN ($6, 'both')
    AND ${isOpen('memberships')}`;
  return {
    sql: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, description, sent_at, status,
                                   created_at, label, label_folded, sent_by, ends_at, is_later_end, joined_by)
          SELECT $1, $2, $3, id, $5, $6, $7, greatest($8, created_at), 'new', greatest($8, created_at), $9, $10, $11, $12,
            CASE WHEN EXISTS (${member}) THEN 1 ELSE 0 END, $13
          FROM swarms
          WHERE id = $4 AND NOT EXISTS (${member} AND coalesce(ends_at, '9999') >= coalesce(CAST($12 AS text), ''))
          ON CONFLICT (swarm_id, resource_id, resource_type) WHERE status = 'new'
          DO UPDATE SET sent_at = greatest(invitations.sent_at, excluded.sent_at), description = excluded.description,
            sent_by = excluded.sent_by, ends_at = excluded.ends_at, is_later_end = excluded.is_later_end, label = coalesce(excluded.label, invitations.label),
            label_folded = coalesce(excluded.label_folded, invitations.label_folded)
          RETURNING id, sent_at`,
    params: [
      id,
      from,
      to,
      swarmId,
      resource_id,
      resource_type,
      description,
      at,
      label,
      folded,
      sentBy,
      ends_at,
      joinedBy,
    ],
    orFail: 'has role',
  };
}
