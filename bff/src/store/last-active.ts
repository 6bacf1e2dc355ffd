/**
 * SQL: when a device last joined the row `s` of `swarms`, or its owner last changed its settings. Of the members, only
 * those that are still in it. For a swarm of the directory, also those that have left (triggers.ts).
 */
export const lastActive = `greatest(coalesce(s.modified_at, s.created_at),
  coalesce((SELECT max(m.member_since) FROM memberships m WHERE m.swarm_id = s.id), s.created_at))`;
