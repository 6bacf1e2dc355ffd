import type { Invitation } from '../../contract.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import type { InvitationRow } from '../store/row-types.ts';

/** The columns of an invitation. */
export const columns = `id, "from", "to", swarm_id, resource_id, resource_type, description, sent_by, ends_at, sent_at, status,
  accepted_at, rejected_at, created_at`;
export type Row = Pick<InvitationRow, keyof Invitation | 'created_at'>;

export interface Deps {
  db: Database;
  quotas: Quotas;
  now: () => Date;
}

/** In rows: what one statement deletes. */
export const deletedAtOnce = 100;
