/** The records of the wire format, made of rows. Fields without a value are absent. */
import type { Invitation, Resource } from '../contract.ts';
import type { Row } from './statement.ts';
import type { InvitationRow, ResourceRow } from './row-types.ts';

export function resourceOf(
  row: Omit<ResourceRow, 'ref' | 'changed_at' | 'version' | 'name_key' | 'name_folded' | 'description_folded'>,
): Resource {
  const { id, user_id, name, machine_type, description, longitude, latitude, created_at, modified_at } = row;
  return {
    id,
    user_id,
    name,
    machine_type,
    ...(description !== null && { description }),
    ...(longitude !== null && latitude !== null && { position: { longitude, latitude } }),
    created_at,
    ...(modified_at !== null && { modified_at }),
  };
}

export function invitationOf(row: Omit<InvitationRow, 'created_at' | 'changed_at' | 'last_known_name'>): Invitation {
  const { description, accepted_at, rejected_at } = row;
  return {
    id: row.id,
    from: row.from,
    to: row.to,
    swarm_id: row.swarm_id,
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    ...(description !== null && { description }),
    sent_at: row.sent_at,
    status: row.status,
    ...(accepted_at !== null && { accepted_at }),
    ...(rejected_at !== null && { rejected_at }),
  };
}

/** The first row of a statement that returned one. `R` declares its columns and is not checked. */
export function firstRow<R>(rows: readonly Row[] | undefined): R {
  return rows![0] as R;
}
