/** The swarm of an invitation, as the user of the list sees it. */
import type { InvitationSwarm } from '../../contract.ts';
import { raw } from '../../core/store/statement.ts';

/** The columns of a row `s` of `swarms` that its card has. */
export const cardColumns = raw(`s.id AS swarm_id, s.user_id AS swarm_owner, s.name AS swarm_name,
  s.description AS swarm_description, s.public AS swarm_public,
  coalesce((SELECT size.members FROM swarm_sizes size WHERE size.swarm_id = s.id), 0) AS member_count`);

export interface CardRow {
  swarm_id: string;
  swarm_owner: string;
  swarm_name: string;
  swarm_description: string;
  swarm_public: number;
  member_count: number;
  is_visible: number;
  /** Shown instead of `swarm_name` and `swarm_owner` if the swarm is not visible. */
  last_known_name: string | null;
  last_known_owner: string;
}

export function cardOf(row: CardRow): InvitationSwarm {
  const { swarm_id: id, swarm_owner: user_id, swarm_name: name } = row;
  if (!row.is_visible) return { id, user_id: row.last_known_owner, name: row.last_known_name ?? name };
  return {
    id,
    user_id,
    name,
    description: row.swarm_description,
    public: row.swarm_public === 1,
    member_count: row.member_count,
  };
}
