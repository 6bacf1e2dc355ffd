import { expect, vi } from 'vitest';
import type { Database } from '../core/store/database.ts';
import { bytesOfMessage } from '../core/store/schema/message-bytes.ts';
import { isOnPostgres } from '../core/store/store.fixture.ts';

const members = 'memberships m JOIN resources r ON r.id = m.resource_id';
const receives = `CASE WHEN m.resource_type = 'producer' THEN 0 ELSE 1 END`;
const endless = 'CASE WHEN ends_at IS NULL THEN 1 ELSE 0 END';
/** Ends in the past are not counted again. */
const comingEnd = 'CASE WHEN ends_at > time_now() THEN ends_at END';
const freshViewers = `SELECT swarm_id, user_id, sum(resources), sum(consumers), sum(endless), max(ends_at) FROM (
    SELECT id AS swarm_id, user_id, 0 AS resources, 0 AS consumers, 1 AS endless, CAST(NULL AS text) AS ends_at FROM swarms
    UNION ALL SELECT swarm_id, user_id, 0, 0, ${endless}, ${comingEnd} FROM managers WHERE agreed_at IS NOT NULL
    UNION ALL SELECT m.swarm_id, r.user_id, 1, ${receives}, ${endless}, ${comingEnd} FROM ${members}) each_one GROUP BY 1, 2`;
const freshSizes = `SELECT m.swarm_id, count(*), count(DISTINCT r.user_id), sum(${receives}),
    count(DISTINCT CASE WHEN m.resource_type <> 'producer' THEN r.user_id END) FROM ${members} GROUP BY 1`;
const freshTallies = `SELECT m.swarm_id, r.user_id, r.machine_type, m.resource_type, count(*) FROM ${members} GROUP BY 1, 2, 3, 4`;
const differ = (stored: string, fresh: string) =>
  `SELECT * FROM (${stored} EXCEPT ${fresh}) more UNION ALL SELECT * FROM (${fresh} EXCEPT ${stored}) less`;
const gone = (table: string, column = 'user_id') =>
  `SELECT * FROM ${table} WHERE ${column} NOT IN (SELECT username FROM "user")`;

/** Invariants: rows that must not exist in the database after any sequence of actions. */
const violations: Record<string, string> = {
  'an invitation that is accepted and rejected':
    'SELECT id FROM invitations WHERE accepted_at IS NOT NULL AND rejected_at IS NOT NULL',
  'a state without its time, or a time without its state': `SELECT id FROM invitations
    WHERE (status = 'accepted') <> (accepted_at IS NOT NULL) OR (status = 'rejected') <> (rejected_at IS NOT NULL)`,
  'an open invitation of a deleted resource, or of another user than the recipient': `SELECT i.id FROM invitations i
    LEFT JOIN resources r ON r.id = i.resource_id WHERE i.status = 'new' AND r.user_id IS DISTINCT FROM i."to"`,
  'an open invitation for a role that the resource already has, without a later end': `SELECT i.id FROM invitations i
    JOIN memberships m USING (swarm_id, resource_id)
    WHERE i.status = 'new' AND m.resource_type IN (i.resource_type, 'both')
      AND coalesce(m.ends_at, '9999') >= coalesce(i.ends_at, '')`,
  'two open invitations for one role': `SELECT swarm_id FROM invitations WHERE status = 'new'
    GROUP BY swarm_id, resource_id, resource_type HAVING count(*) > 1`,
  'a pair of invitations that is not marked, or a mark without a pair': `SELECT i.id FROM invitations i
    WHERE (i.is_second = 1) <> (i.resource_type = 'consumer' AND EXISTS (SELECT 1 FROM invitations other
      WHERE other.resource_type = 'producer' AND other.swarm_id = i.swarm_id AND other.resource_id = i.resource_id
        AND other."from" = i."from" AND other.status = i.status AND other.sent_at = i.sent_at
        AND other.changed_at = i.changed_at AND other.sent_by IS NOT DISTINCT FROM i.sent_by
        AND other.description IS NOT DISTINCT FROM i.description))`,
  'an open invitation that is not from the owner of the swarm, or one without its swarm': `SELECT i.id FROM invitations i
    LEFT JOIN swarms s ON s.id = i.swarm_id WHERE s.id IS NULL OR (i.status = 'new' AND s.user_id <> i."from")`,
  'a count of open invitations that differs from a recount': `SELECT user_id FROM usage WHERE kind = 'invitations'
    AND amount <> (SELECT count(*) FROM invitations i WHERE i."from" = user_id AND i.status = 'new')`,
  'bytes of messages that differ from a recount': `SELECT user_id FROM usage WHERE kind = 'message_bytes'
    AND amount <> (SELECT coalesce(sum(${bytesOfMessage('m.')}), 0) FROM messages m WHERE m.user_id = usage.user_id)
    UNION ALL SELECT user_id FROM messages m WHERE user_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM usage u WHERE u.user_id = m.user_id AND u.kind = 'message_bytes')`,
  'an answered invitation that shows its recipient no name': `SELECT i.id FROM invitations i
    LEFT JOIN memberships m USING (swarm_id, resource_id)
    WHERE i.last_known_name IS NULL AND (i.status = 'rejected' OR (i.status = 'accepted' AND m.resource_id IS NULL))`,
  'a membership without its resource or its swarm': `SELECT m.* FROM memberships m
    LEFT JOIN resources r ON r.id = m.resource_id LEFT JOIN swarms s ON s.id = m.swarm_id
    WHERE r.id IS NULL OR s.id IS NULL`,
  'a role of another user’s resource without an accepted invitation, unless the user owned the swarm': `
    SELECT m.*, roles.role FROM ${members} JOIN swarms s ON s.id = m.swarm_id
    JOIN (SELECT 'producer' AS role UNION SELECT 'consumer') roles ON m.resource_type IN (roles.role, 'both')
    WHERE r.user_id <> s.user_id AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.status = 'accepted'
      AND (i.swarm_id, i.resource_id, i.resource_type) = (m.swarm_id, m.resource_id, roles.role))
    AND NOT EXISTS (SELECT 1 FROM activity a WHERE a.kind = 'swarm.handed_over' AND a.swarm_id = m.swarm_id
      AND a.detail = r.user_id)`,
  'a timestamp earlier than the one before it': `
    SELECT i.id FROM invitations i JOIN swarms s ON s.id = i.swarm_id
      WHERE i.sent_at < s.created_at OR i.accepted_at < i.sent_at OR i.rejected_at < i.sent_at
    UNION ALL SELECT m.resource_id FROM ${members} JOIN swarms s ON s.id = m.swarm_id
      WHERE m.member_since < r.created_at OR m.member_since < s.created_at
    UNION ALL SELECT id FROM resources WHERE modified_at < created_at
    UNION ALL SELECT id FROM swarms WHERE modified_at < created_at`,
  'stored viewers that differ from a recount': differ(
    `SELECT swarm_id, user_id, resources, consumers, endless, ${comingEnd} FROM swarm_viewers`,
    freshViewers,
  ),
  'stored numbers of a swarm that differ from a recount': differ(
    'SELECT swarm_id, members, users, consumers, consumer_users FROM swarm_sizes WHERE members > 0',
    freshSizes,
  ),
  'stored tallies that differ from a recount': differ('SELECT * FROM member_tallies', freshTallies),
  'a directory that differs from the public swarms that are listed': differ(
    'SELECT swarm_id, user_id, members FROM directory',
    `SELECT s.id, s.user_id, (SELECT count(*) FROM memberships m WHERE m.swarm_id = s.id) FROM swarms s
       WHERE s.listed = 1 AND s.public = 1`,
  ),
  'a private swarm that is listed': 'SELECT id FROM swarms WHERE listed = 1 AND public = 0',
  'rows of a deleted user': [
    'resources',
    'swarms',
    'swarm_viewers',
    'directory',
    'idempotency',
    'api_keys',
    'held_keys',
  ]
    .map((table) => gone(table).replace('*', `'${table}'`))
    .join(' UNION ALL '),
  'two offers of one swarm, or an offer to a user who is no manager': `SELECT swarm_id FROM managers
    WHERE offered_at IS NOT NULL GROUP BY swarm_id HAVING count(*) > 1 OR max(agreed_at) IS NULL OR max(role) <> 'manager'`,
  'an offer, a key, a link or values of a device that has another owner': `
    SELECT r.id FROM resource_offers o JOIN resources r ON r.id = o.resource_id WHERE o.user_id <> r.user_id OR o.to_user = r.user_id
    UNION ALL SELECT r.id FROM api_keys k JOIN resources r ON r.id = k.resource_id WHERE k.user_id <> r.user_id
    UNION ALL SELECT r.id FROM share_links l JOIN resources r ON r.id = l.resource_id WHERE l.user_id <> r.user_id
    UNION ALL SELECT r.id FROM device_values v JOIN resources r ON r.ref = v.ref WHERE v.user_id <> r.user_id
    UNION ALL SELECT r.id FROM value_blocks v JOIN resources r ON r.ref = v.ref WHERE v.user_id <> r.user_id`,
  'a count of resources or of bytes of values that differs from a recount': `SELECT user_id FROM usage WHERE kind = 'resources'
      AND amount <> (SELECT count(*) FROM resources r WHERE r.user_id = usage.user_id)
    UNION ALL SELECT user_id FROM usage WHERE kind = 'value_bytes' AND amount <>
      coalesce((SELECT sum(length(content) + 200) FROM value_blocks v WHERE v.user_id = usage.user_id), 0) +
      coalesce((SELECT sum(octet_length(open) + octet_length(last) + octet_length(audiences) + octet_length(known_keys) + 200) FROM device_values v
        WHERE v.user_id = usage.user_id), 0)`,
  'an owner who manages the own swarm': `SELECT g.swarm_id FROM managers g JOIN swarms s ON s.id = g.swarm_id
    WHERE g.user_id = s.user_id`,
  // PostgreSQL always checks references.
  ...(!isOnPostgres && { 'a reference to a missing row': 'PRAGMA foreign_key_check' }),
};

/** Of accounts and swarms that are deleted: it goes on after the response. */
const beingDeleted = `SELECT name FROM retired_names JOIN usage ON user_id = name
  UNION ALL SELECT id FROM swarms WHERE user_id = ''`;

/** Waits for deletions. The check itself has no limit: it reads all tables, which takes a busy machine long. */
export async function expectInvariants(db: Database): Promise<void> {
  await vi.waitFor(async () => expect(await db.read({ sql: beingDeleted })).toEqual([]));
  const found = await Promise.all(
    Object.entries(violations).map(async ([name, sql]) => [name, await db.read({ sql, isLong: true })] as const),
  );
  expect(found.filter(([, rows]) => rows.length > 0)).toEqual([]);
}
