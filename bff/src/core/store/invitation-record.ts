import { invitationRoles, type Invitation } from '../../contract.ts';
import type { InvitationRow } from './row-types.ts';

/** SQL: true. With it, SQLite finds the open invitations of a resource to a swarm by `invitations_open`, and does not walk all of the swarm. */
export const isOfEitherRole = `resource_type IN (${invitationRoles.map((role) => `'${role}'`).join(', ')})`;

/** The record of the wire format. Fields without a value are absent, and so is `sent_by` if it says the same as `from`. */
export function invitationOf(row: Pick<InvitationRow, keyof Invitation>): Invitation {
  const { description, sent_by, ends_at, accepted_at, rejected_at } = row;
  return {
    id: row.id,
    from: row.from,
    to: row.to,
    swarm_id: row.swarm_id,
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    ...(description !== null && { description }),
    ...(sent_by !== null && sent_by !== row.from && { sent_by }),
    ...(ends_at !== null && { ends_at }),
    sent_at: row.sent_at,
    status: row.status,
    ...(accepted_at !== null && { accepted_at }),
    ...(rejected_at !== null && { rejected_at }),
  };
}
