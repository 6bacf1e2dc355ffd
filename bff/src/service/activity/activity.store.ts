/**
 * Statements that append to the activity log: what happened to the devices, swarms and account of each user, and who did it.
 * Each write appends its own entries, because only it knows who did it and the names of what it deletes.
 */
import type { ActivityKind, MemberRole } from '../../contract.ts';
import { serverActor } from '../../limits/field-rules.ts';
import type { Ending } from '../../store/ending.ts';
import { newestOf } from '../../store/newest-activity.ts';
import type { SilentMembers } from '../../store/presence-row.ts';
import { always, raw, sql, type Sql, type Statement } from '../../store/statement.ts';
import { hasMembers, isOpen, isViewer, seesMembers, silenceRecipients, viewers } from '../../store/visibility.ts';
import { activityLimits } from '../../limits/part-limits.ts';

const none = 'CAST(NULL AS TEXT)';
const ofResource = 'r.id AS resource_id, r.name AS resource_name, r.user_id AS resource_owner';
const noResource = `${none} AS resource_id, ${none} AS resource_name, ${none} AS resource_owner`;
const ofSwarm = 's.id AS swarm_id, s.name AS swarm_name';
const noSwarm = `${none} AS swarm_id, ${none} AS swarm_name`;

/** Appends the rows of `select`. Parameters $1 to $3 are the time, the kind and the actor; users without an account get none. `kind`, `actor`: another one. */
const append = (select: string, { kind = '$2', actor = '$3' } = {}) =>
  `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name,
     detail)
   SELECT user_id, ${newestOf('entry.user_id')}
       + row_number() OVER (PARTITION BY user_id ORDER BY resource_id, swarm_id),
     $1, ${kind}, ${actor}, resource_id, resource_name, resource_owner, swarm_id, swarm_name, detail
   FROM (${select}) entry`;

/** Appends the rows of a `select` that brings its parameters. */
const appendEntry = ({ at, kind, actor }: { at: string; kind: ActivityKind; actor: string }, select: Sql): Statement =>
  sql`INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name,
     detail)
   SELECT user_id, ${raw(newestOf('entry.user_id'))}
       + row_number() OVER (PARTITION BY user_id ORDER BY resource_id, swarm_id),
     ${at}, ${kind}, ${actor}, resource_id, resource_name, resource_owner, swarm_id, swarm_name, detail
   FROM (${select}) entry`;

/** For the actor, and the owners of the resource and of the swarm. `detail`: the role, or the new end. `where`: only then. */
export function memberActivity(entry: {
  kind: Exclude<Extract<ActivityKind, `member.${string}`>, 'member.ending' | 'member.ended'>;
  actor: string;
  at: string;
  resourceId: string;
  swarmId: string;
  detail: string | null;
  where?: Sql;
}): Statement {
  const { actor, resourceId, swarmId, detail, where = always } = entry;
  return appendEntry(
    entry,
    sql`SELECT u.username AS user_id, ${raw(ofResource)}, ${raw(ofSwarm)}, CAST(${detail} AS text) AS detail
      FROM resources r JOIN swarms s ON s.id = ${swarmId} JOIN "user" u ON u.username IN (r.user_id, s.user_id, ${actor})
      WHERE r.id = ${resourceId} AND ${where}`,
  );
}

/** For the owners of these members, whose memberships have ended, and the owner of the swarm. Must come before their deletion. */
export function endedMembersActivity(entry: { at: string; swarmId: string; ids: readonly string[] }): Statement {
  const { at, swarmId, ids } = entry;
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name,
      detail)
    SELECT u.username, ${newestOf('u.username')} + row_number() OVER (PARTITION BY u.username ORDER BY r.id),
      $1, 'member.ended', r.user_id, r.id, r.name, r.user_id, s.id, s.name, m.resource_type
    FROM memberships m JOIN resources r ON r.id = m.resource_id JOIN swarms s ON s.id = m.swarm_id
      JOIN "user" u ON u.username IN (r.user_id, s.user_id)
    WHERE m.swarm_id = $2 AND m.resource_id IN (SELECT value FROM elements($3)) AND m.ends_at <= time_now()`;
  return { sql, params: [at, swarmId, JSON.stringify(ids)] };
}

/** For the owners of members whose memberships end, and the owners of swarms with such watchers: they may extend them. */
export function endingActivity({ at, told }: { at: string; told: readonly Ending[] }): Statement {
  const given = (name: keyof Ending) => `json_extract(given.value, '$.${name}')`;
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name,
      amount, detail)
    SELECT u.username, ${newestOf('u.username')} + row_number() OVER (PARTITION BY u.username ORDER BY ${given('ends_at')}, s.id, ${given('about')}),
      $1, ${given('kind')}, $2, ${given('resource_id')}, ${given('resource_name')},
      CASE WHEN ${given('resource_id')} IS NOT NULL THEN u.username END, s.id, s.name, CAST(${given('amount')} AS bigint),
      CASE WHEN ${given('kind')} = 'member.ending' THEN ${given('ends_at')} ELSE ${given('about')} END
    FROM elements($3) given JOIN swarms s ON s.id = ${given('swarm_id')} AND s.user_id <> ''
      JOIN "user" u ON u.username = ${given('user_id')}`;
  return { sql, params: [at, serverActor, JSON.stringify(told)] };
}

/** The name of a device; null for everybody except its owner. */
const visibleName = 'CASE WHEN u.username = r.user_id THEN r.name END';
const selectInvitation = (name: string, where: string, detail = 'i.resource_type') => `
  SELECT u.username AS user_id, r.id AS resource_id, ${name} AS resource_name, r.user_id AS resource_owner, ${ofSwarm},
    ${detail} AS detail
  FROM invitations i JOIN resources r ON r.id = i.resource_id JOIN swarms s ON s.id = i.swarm_id
    JOIN "user" u ON u.username IN (i."from", i."to", $3)
  WHERE ${where}`;

/** SQL: the invitation `i` is for a role that its device has: it offers a later end. */
export const offersEnd = `i.ends_at IS NOT NULL AND EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = i.swarm_id AND m.resource_id = i.resource_id
  AND m.resource_type IN (i.resource_type, 'both') AND ${isOpen('m')})`;

/**
 * For the actor, the sender and the recipient, while the invitation exists. The sender sees the resource's name only if the
 * invitation is accepted, or the resource is a member. `invitation.sent` and `invitation.accepted` are of those that are not, so the latter
 * comes before the resource is one; `invitation.end_offered` is of those that are, and so is what `invitation.rejected` and `invitation.withdrawn` become
 * (`invitation.end_rejected`).
 */
export function invitationActivity(entry: {
  kind: `invitation.${'sent' | 'end_offered' | 'accepted' | 'rejected' | 'withdrawn'}`;
  actor: string;
  at: string;
  id: string;
}): Statement {
  const { kind, actor, at, id } = entry;
  const params = [at, kind, actor, id];
  const ofEither = () => {
    const name = `CASE WHEN ${offersEnd} THEN r.name ELSE ${visibleName} END`;
    const detail = `CASE WHEN ${offersEnd} THEN i.ends_at ELSE i.resource_type END`;
    const kindOf = `CASE WHEN detail IN ('producer', 'consumer') THEN $2 ELSE replace($2, '.', '.end_') END`;
    return append(selectInvitation(name, 'i.id = $4', detail), { kind: kindOf });
  };
  const sql = {
    'invitation.sent': () => append(selectInvitation(visibleName, `i.id = $4 AND NOT (${offersEnd})`)),
    'invitation.accepted': () => append(selectInvitation('r.name', `i.id = $4 AND NOT (${offersEnd})`)),
    'invitation.end_offered': () => append(selectInvitation('r.name', `i.id = $4 AND ${offersEnd}`, 'i.ends_at')),
    'invitation.rejected': ofEither,
    'invitation.withdrawn': ofEither,
  }[kind]();
  return { sql, params };
}

/**
 * For the actor, the user who asks and the owner of the swarm, while the request exists. The user who asked has the swarm's
 * name of then, unless they can see that of now. `openOf`: for all open requests of a user to a swarm.
 */
export function requestActivity(
  entry: {
    kind: Extract<ActivityKind, `invitation.request${string}`>;
    actor: string;
    at: string;
  } & ({ id: string } | { openOf: { swarmId: string; userId: string } }),
): Statement {
  const isSeen = seesMembers({ user: raw('u.username'), swarm: raw('s.id') });
  const which =
    'id' in entry
      ? sql`q.id = ${entry.id}`
      : sql`q.swarm_id = ${entry.openOf.swarmId} AND q.user_id = ${entry.openOf.userId} AND q.status = 'new'`;
  return appendEntry(
    entry,
    sql`SELECT u.username AS user_id, q.resource_id, q.resource_name, q.user_id AS resource_owner, s.id AS swarm_id,
        CASE WHEN u.username <> q.user_id OR s.public = 1 OR ${isSeen} THEN s.name ELSE q.swarm_name END AS swarm_name,
        q.resource_type AS detail
      FROM join_requests q JOIN swarms s ON s.id = q.swarm_id JOIN "user" u ON u.username IN (q.user_id, s.user_id, ${entry.actor})
      WHERE ${which}`,
  );
}

/**
 * The open invitation for the same swarm, resource and role is sent again, more than an hour after it was sent. Must come
 * before the update, because it compares the time.
 */
export function resentInvitation(entry: {
  actor: string;
  at: string;
  swarmId: string;
  resourceId: string;
  role: MemberRole;
}): Statement {
  const { actor, at, swarmId, resourceId, role } = entry;
  const where = `i.swarm_id = $4 AND i.resource_id = $5 AND i.resource_type = $6 AND i.status = 'new' AND i.sent_at < $7`;
  const anHourAgo = new Date(Date.parse(at) - 3600_000).toISOString();
  return {
    sql: append(selectInvitation(visibleName, where)),
    params: [at, 'invitation.resent', actor, swarmId, resourceId, role, anHourAgo],
  };
}

/** Must come before the update, because it compares and records the old name. */
export function renamedResource(entry: { at: string; userId: string; id: string; name: string }): Statement {
  const sql = append(`
    SELECT u.username AS user_id, r.id AS resource_id, $5 AS resource_name, r.user_id AS resource_owner, ${noSwarm},
      r.name AS detail
    FROM resources r JOIN "user" u ON u.username = r.user_id WHERE r.id = $4 AND r.user_id = $3 AND r.name <> $5`);
  return { sql, params: [entry.at, 'resource.renamed', entry.userId, entry.id, entry.name] };
}

/** For the resources' owner and the owners of their swarms. Must come before the deletion. */
export function deletedResources(entry: { at: string; userId: string; ids: readonly string[] }): Statement {
  const { at, userId, ids } = entry;
  const among = `IN (${ids.map((_, index) => `$${index + 4}`).join(', ')})`;
  const sql = append(`
    SELECT u.username AS user_id, ${ofResource}, ${noSwarm}, ${none} AS detail
    FROM resources r JOIN "user" u ON u.username = r.user_id WHERE r.user_id = $3 AND r.id ${among}
    UNION ALL
    SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, ${none} AS detail
    FROM resources r JOIN memberships m ON m.resource_id = r.id JOIN swarms s ON s.id = m.swarm_id
      JOIN "user" u ON u.username = s.user_id
    WHERE r.user_id = $3 AND s.user_id <> r.user_id AND r.id ${among}`);
  return { sql, params: [at, 'resource.deleted', userId, ...ids] };
}

/** Must come before the update, because it compares the old values. */
export function changedSwarm(entry: {
  at: string;
  actor: string;
  id: string;
  name: string | undefined;
  isPublic: boolean | undefined;
}): Statement[] {
  const { at, actor, id, name, isPublic } = entry;
  const select = (swarmName: string, detail: string, where: string) =>
    append(`
      SELECT u.username AS user_id, ${noResource}, s.id AS swarm_id, ${swarmName} AS swarm_name, ${detail} AS detail
      FROM swarms s JOIN "user" u ON u.username = s.user_id WHERE s.id = $4 AND ${where}`);
  const statements: Statement[] = [];
  if (name !== undefined) {
    statements.push({ sql: select('$5', 's.name', 's.name <> $5'), params: [at, 'swarm.renamed', actor, id, name] });
  }
  if (isPublic !== undefined) {
    const kind: ActivityKind = isPublic ? 'swarm.published' : 'swarm.unpublished';
    const sql = select('coalesce($6, s.name)', none, 's.public <> $5');
    statements.push({ sql, params: [at, kind, actor, id, Number(isPublic), name ?? null] });
  }
  return statements;
}

/** For the owner of the swarm and the user whom it is about, who is `detail`. */
export function managerActivity(entry: {
  kind: Extract<ActivityKind, `swarm.${'manager_' | 'watcher_' | 'offer' | 'handed'}${string}`>;
  actor: string;
  at: string;
  swarmId: string;
  userId: string;
}): Statement {
  const sql = append(`
    SELECT u.username AS user_id, ${noResource}, ${ofSwarm}, $5 AS detail
    FROM swarms s JOIN "user" u ON u.username IN (s.user_id, $5) WHERE s.id = $4`);
  return { sql, params: [entry.at, entry.kind, entry.actor, entry.swarmId, entry.userId] };
}

/** For the owner of the device and the user whom it is about, who is `detail`. */
export function handoverActivity(entry: {
  kind: Extract<ActivityKind, `resource.${'offer' | 'handed'}${string}`>;
  actor: string;
  at: string;
  resourceId: string;
  userId: string;
}): Statement {
  const sql = append(`
    SELECT u.username AS user_id, ${ofResource}, ${noSwarm}, $5 AS detail
    FROM resources r JOIN "user" u ON u.username IN (r.user_id, $5) WHERE r.id = $4`);
  return { sql, params: [entry.at, entry.kind, entry.actor, entry.resourceId, entry.userId] };
}

/** For the owner of the device or the swarm that the link shows, while it is open. `detail`: its name. */
export function shareLinkActivity(entry: {
  kind: Extract<ActivityKind, `resource.link_${string}` | `swarm.share_link_${string}`>;
  userId: string;
  at: string;
  id: string;
}): Statement {
  const sql = append(`
    SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, l.name AS detail
    FROM share_links l LEFT JOIN resources r ON r.id = l.resource_id LEFT JOIN swarms s ON s.id = l.swarm_id
      JOIN "user" u ON u.username = l.user_id
    WHERE l.id = $4 AND l.user_id = $3 AND l.expires_at > $1`);
  return { sql, params: [entry.at, entry.kind, entry.userId, entry.id] };
}

/** For the owner of the swarm and who did it, while the link has not been ended. `detail`: its name. */
export function joinLinkActivity(entry: {
  kind: Extract<ActivityKind, `swarm.link_${string}`>;
  actor: string;
  at: string;
  id: string;
}): Statement {
  const sql = append(`
    SELECT u.username AS user_id, ${noResource}, ${ofSwarm}, l.name AS detail
    FROM join_links l JOIN swarms s ON s.id = l.swarm_id JOIN "user" u ON u.username IN (s.user_id, $3)
    WHERE l.id = $4 AND l.ended_at IS NULL`);
  return { sql, params: [entry.at, entry.kind, entry.actor, entry.id] };
}

/**
 * A device leaves the swarms that its new owner does not own: for their owners. Before it has its new owner. Its former owner has
 * not removed it from an own swarm: the new one has, by taking it over.
 */
export function leftForHandover(entry: { at: string; owner: string; resourceId: string; userId: string }): Statement {
  const select = `
    SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, m.resource_type AS detail
    FROM resources r JOIN memberships m ON m.resource_id = r.id JOIN swarms s ON s.id = m.swarm_id AND s.user_id <> $5
      JOIN "user" u ON u.username = s.user_id WHERE r.id = $4`;
  const sql = append(select, { actor: 'CASE user_id WHEN $3 THEN $5 ELSE $3 END' });
  return { sql, params: [entry.at, 'member.removed', entry.owner, entry.resourceId, entry.userId] };
}

/**
 * For the owner, the managers and watchers, the owners of the members, those who were invited, and those who asked to join a swarm that
 * they still see. `detail`: the names of their devices that were members, invited, or asked to join. Must come before the
 * deletion.
 */
export function deletedSwarm(entry: { at: string; id: string }): Statement {
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id, swarm_name, detail)
    WITH invited AS MATERIALIZED (
        SELECT "to" AS user_id, resource_id FROM invitations WHERE swarm_id = $3 AND status = 'new'
        UNION ALL SELECT q.user_id, q.resource_id FROM join_requests q JOIN swarms s ON s.id = q.swarm_id AND s.public = 1
        WHERE q.swarm_id = $3 AND q.status = 'new' LIMIT ${activityLimits.viewers}),
      others AS MATERIALIZED (
        SELECT viewer.user_id FROM ${viewers} WHERE viewer.swarm_id = $3 AND ${hasMembers}
          AND viewer.user_id <> (SELECT user_id FROM swarms WHERE id = $3) LIMIT ${activityLimits.viewers}),
      concerned AS MATERIALIZED (
        SELECT resource_id FROM invited UNION SELECT resource_id FROM (
          SELECT m.resource_id FROM memberships m JOIN resources r ON r.id = m.resource_id
          WHERE m.swarm_id = $3 AND r.user_id IN (SELECT user_id FROM others) AND EXISTS (SELECT 1 FROM others)
          LIMIT ${activityLimits.viewers}) member),
      named AS (
        SELECT r.user_id, r.name, row_number() OVER (PARTITION BY r.user_id ORDER BY r.name_key, r.ref) AS place
        FROM concerned c JOIN resources r ON r.id = c.resource_id),
      names AS (
        SELECT user_id, string_agg(CASE WHEN place <= ${activityLimits.names} THEN name ELSE '…' END, ', ' ORDER BY place) AS text
        FROM named WHERE place <= ${activityLimits.names + 1} GROUP BY user_id)
    SELECT u.username, ${newestOf('u.username')} + 1, $1, $2, s.user_id, s.id, s.name, names.text
    FROM swarms s JOIN (SELECT user_id FROM swarms WHERE id = $3 UNION SELECT user_id FROM others
        UNION SELECT user_id FROM invited UNION SELECT user_id FROM managers WHERE swarm_id = $3) known ON true
      JOIN "user" u ON u.username = known.user_id LEFT JOIN names ON names.user_id = u.username
    WHERE s.id = $3`;
  return { sql, params: [entry.at, 'swarm.deleted', entry.id] };
}

/**
 * For the owner of the devices whose silences have this `notice`: one entry for all of them. `amount`: how many, or how often a
 * single one fell silent.
 */
export function silenceActivity(entry: {
  kind: 'resource.silent' | 'resource.back';
  at: string;
  userId: string;
  notice: number;
}): Statement {
  const { kind, at, userId, notice } = entry;
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, amount, detail)
    WITH told AS MATERIALIZED (SELECT r.id, r.name, r.name_key, r.ref, s.times FROM silences s
        JOIN resources r ON r.ref = s.ref WHERE s.user_id = $4 AND s.notice = $5),
      total AS (SELECT count(*) AS devices FROM told),
      named AS (SELECT string_agg(name, ', ' ORDER BY name_key, ref) AS text FROM
        (SELECT name, name_key, ref FROM told ORDER BY name_key, ref LIMIT ${activityLimits.names}) first)
    SELECT u.username, ${newestOf('u.username')} + 1, $1, $2, $3, one.id, one.name,
      CASE WHEN one.id IS NOT NULL THEN u.username END, CASE WHEN one.id IS NULL THEN devices ELSE greatest(one.times, 1) END,
      CASE WHEN devices > ${activityLimits.names} THEN named.text || ', …' WHEN devices > 1 THEN named.text END
    FROM "user" u JOIN total ON devices > 0 JOIN named ON true LEFT JOIN told one ON devices = 1 WHERE u.username = $4`;
  return { sql, params: [at, kind, serverActor, userId, notice] };
}

/** For the users who want to know of silent members of the swarm, if they still do: one entry for all that are silent. */
export function swarmSilenceActivity(entry: {
  at: string;
  swarmId: string;
  told: readonly SilentMembers[];
}): Statement {
  const { at, swarmId, told } = entry;
  const given = (name: keyof SilentMembers) => `json_extract(given.value, '$.${name}')`;
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id,
      swarm_name, amount, detail)
    SELECT u.username, ${newestOf('u.username')} + 1, $1, 'swarm.silent', $2, ${given('resource_id')}, ${given('resource_name')},
      ${given('resource_owner')}, s.id, s.name, CAST(${given('devices')} AS bigint), ${given('names')}
    FROM elements($3) given JOIN "user" u ON u.username = ${given('user_id')} JOIN swarms s ON s.id = $4
    WHERE u.username IN (${silenceRecipients('$4')})`;
  return { sql, params: [at, serverActor, JSON.stringify(told), swarmId] };
}

/**
 * For each of these users, if they still own devices in the swarm: who sees them now and did not before. By the owner of the swarm: what
 * a swarm's owner lets happen must not push out what the server tells.
 */
export function audienceActivity(entry: {
  at: string;
  swarmId: string;
  told: readonly { user: string; detail: string }[];
}): Statement {
  const { at, swarmId, told } = entry;
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id, swarm_name, detail)
    SELECT u.username, ${newestOf('u.username')} + 1, $1, $2, s.user_id, s.id, s.name, json_extract(given.value, '$.detail')
    FROM elements($4) given JOIN "user" u ON u.username = json_extract(given.value, '$.user')
      JOIN swarms s ON s.id = $3 AND s.user_id <> ''
    WHERE u.username IN (SELECT viewer.user_id FROM ${viewers} WHERE viewer.swarm_id = $3 AND ${hasMembers} AND ${isViewer})`;
  return { sql, params: [at, 'swarm.audience_grown', swarmId, JSON.stringify(told)], rows: told.length };
}

/** For the user whose import has ended at this time. `detail`: the file. */
export function importActivity({ at, action }: { at: string; action: string }): Statement {
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, amount, detail)
    SELECT u.username, ${newestOf('u.username')} + 1, $1, $2, $3, a.done - a.failed, json_extract(a.about, '$.file')
    FROM actions a JOIN "user" u ON u.username = a.user_id
    WHERE a.id = $4 AND a.kind = 'import' AND a.state = 'ended' AND a.ended_at = $1`;
  return { sql, params: [at, 'resource.imported', serverActor, action] };
}

/** What the user or the operator did with the account. `detail`: of the entry. `only`: only then. */
export function accountActivity(entry: {
  kind: Extract<ActivityKind, `account.${string}`>;
  at: string;
  userId: string;
  actor?: string;
  detail?: Sql;
  only?: Sql;
}): Statement {
  const { kind, at, userId, actor = userId, detail = raw(none), only = always } = entry;
  return appendEntry(
    { at, kind, actor },
    sql`SELECT u.username AS user_id, ${raw(noResource)}, ${raw(noSwarm)}, ${detail} AS detail
      FROM "user" u WHERE u.username = ${userId} AND ${only}`,
  );
}

/** Must come before the deletion of the key, because its name is recorded, and its device if it is the key of one. */
export function keyActivity(entry: {
  kind: 'account.key_created' | 'account.key_revoked';
  at: string;
  id: string;
  userId: string;
  actor?: string;
}): Statement {
  const { kind, at, id, userId, actor = userId } = entry;
  const sql = append(`SELECT k.user_id, ${ofResource}, ${noSwarm}, k.name AS detail
    FROM api_keys k LEFT JOIN resources r ON r.id = k.resource_id WHERE k.id = $4 AND k.user_id = $5`);
  return { sql, params: [at, kind, actor, id, userId] };
}

/** A device that changes itself with each message has at most one entry in this time. */
const changedEveryMs = 3600_000;

/** Other fields than the name and the position were changed with a key. `detail`: the name of the key. */
export function changedResource(entry: { at: string; userId: string; id: string; keyId: string }): Statement {
  const { at, userId, id, keyId } = entry;
  const kind = 'resource.changed' satisfies ActivityKind;
  const sql = append(`
    SELECT u.username AS user_id, ${ofResource}, ${noSwarm}, k.name AS detail
    FROM resources r JOIN "user" u ON u.username = r.user_id JOIN api_keys k ON k.id = $5
    WHERE r.id = $4 AND r.user_id = $3 AND NOT EXISTS (SELECT 1 FROM activity a
      WHERE coalesce(a.resource_id, '') = $4 AND coalesce(a.swarm_id, '') = '' AND a.kind = $2
        AND a.user_id = $3 AND a.detail = k.name AND a.at > $6)`);
  const since = new Date(Date.parse(at) - changedEveryMs).toISOString();
  return { sql, params: [at, kind, userId, id, keyId, since] };
}
