/**
 * Statements that append to the activity log: what happened to the devices, swarms and account of each user, and who did it.
 * Each write appends its own entries, because only it knows who did it and the names of what it deletes.
 */
import type { ActivityKind, MemberRole } from '../../contract.ts';
import { hourMs } from '../limits/durations.ts';
import { serverActor } from '../limits/field-rules.ts';
import type { Ending } from '../store/ending.ts';
import { newestOf } from '../store/newest-activity.ts';
import { belongsTo } from '../store/of-user.ts';
import type { SilentMembers } from '../store/presence-row.ts';
import { always, listOf, raw, sql, type Sql, type Statement } from '../store/statement.ts';
import { hasMembers, isOpen, isViewer, seesMembers, silenceRecipients, viewers } from '../store/visibility.ts';
import { activityLimits } from '../limits/part-limits.ts';

const none = raw('CAST(NULL AS TEXT)');
const ofResource = raw('r.id AS resource_id, r.name AS resource_name, r.user_id AS resource_owner');
const noResource = sql`${none} AS resource_id, ${none} AS resource_name, ${none} AS resource_owner`;
const ofSwarm = raw('s.id AS swarm_id, s.name AS swarm_name');
const noSwarm = sql`${none} AS swarm_id, ${none} AS swarm_name`;

/** What all entries of a statement have, or the column of its rows. */
interface Common {
  at: string;
  kind: ActivityKind | Sql;
  actor: string | Sql;
  amount?: Sql;
  /** The order of the entries of a user. */
  order?: Sql;
}

/** Appends the rows of `select` to the logs of their `user_id`, who has an account: a resource, a swarm (or none), and a detail. */
function append(common: Common, select: Sql): Statement {
  const { at, amount = raw('CAST(NULL AS bigint)'), order = raw('resource_id, swarm_id') } = common;
  const [kind, actor] = [common.kind, common.actor].map((each) => (typeof each === 'string' ? sql`${each}` : each));
  return sql`INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner, swarm_id, swarm_name,
     amount, detail)
   SELECT user_id, ${raw(newestOf('entry.user_id'))} + row_number() OVER (PARTITION BY user_id ORDER BY ${order}),
     ${at}, ${kind!}, ${actor!}, resource_id, resource_name, resource_owner, swarm_id, swarm_name, ${amount}, detail
   FROM (${select}) entry`;
}

/**
 * For the actor, and the owners of the resource and of the swarm. `detail`: the role, or the new end. `endsAt`: the end with which the
 * resource joins, which must come before its membership. `where`: only then.
 */
export function memberActivity(entry: {
  kind: Exclude<Extract<ActivityKind, `member.${string}`>, 'member.ending' | 'member.ended'>;
  actor: string;
  at: string;
  resourceId: string;
  swarmId: string;
  detail: string | null;
  endsAt?: string | undefined;
  where?: Sql;
}): Statement {
  const { actor, resourceId, swarmId, detail, endsAt, where = always } = entry;
  const said = sql`CAST(${detail} AS text)`;
  const member = { swarm: raw('s.id'), resource: raw('r.id') };
  return append(
    entry,
    sql`SELECT u.username AS user_id, ${ofResource}, ${ofSwarm},
        ${endsAt === undefined ? said : withEnd({ role: said, member, endsAt })} AS detail
      FROM resources r JOIN swarms s ON s.id = ${swarmId} JOIN "user" u ON u.username IN (r.user_id, s.user_id, ${actor})
      WHERE r.id = ${resourceId} AND ${where}`,
  );
}

/** For the owners of these members, whose memberships have ended, and the owner of the swarm. Must come before their deletion. */
export function endedMembersActivity(entry: { at: string; swarmId: string; ids: readonly string[] }): Statement {
  const { at, swarmId, ids } = entry;
  return append(
    { at, kind: 'member.ended', actor: raw('resource_owner') },
    sql`SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, m.resource_type AS detail
      FROM memberships m JOIN resources r ON r.id = m.resource_id JOIN swarms s ON s.id = m.swarm_id
        JOIN "user" u ON u.username IN (r.user_id, s.user_id)
      WHERE m.swarm_id = ${swarmId} AND m.resource_id IN (SELECT value FROM elements(${JSON.stringify(ids)}))
        AND m.ends_at <= time_now()`,
  );
}

/** For the owners of members whose memberships end, and the owners of swarms with such watchers: they may extend them. */
export function endingActivity({ at, endings }: { at: string; endings: readonly Ending[] }): Statement {
  const given = (name: keyof Ending) => raw(`json_extract(given.value, '$.${name}')`);
  return append(
    { at, kind: raw('kind'), actor: serverActor, amount: raw('amount'), order: raw('ends_at, swarm_id, about') },
    sql`SELECT u.username AS user_id, ${given('kind')} AS kind, ${given('resource_id')} AS resource_id,
        ${given('resource_name')} AS resource_name, CASE WHEN ${given('resource_id')} IS NOT NULL THEN u.username END AS resource_owner,
        ${ofSwarm}, CAST(${given('amount')} AS bigint) AS amount, ${given('ends_at')} AS ends_at, ${given('about')} AS about,
        CASE WHEN ${given('kind')} = 'member.ending' THEN ${given('ends_at')} ELSE ${given('about')} END AS detail
      FROM elements(${JSON.stringify(endings)}) given JOIN swarms s ON s.id = ${given('swarm_id')} AND s.user_id <> ''
        JOIN "user" u ON u.username = ${given('user_id')}`,
  );
}

/** The name of a device; null for everybody except its owner. */
const visibleName = raw('CASE WHEN u.username = r.user_id THEN r.name END');
const selectInvitation = ({
  actor,
  name,
  where,
  detail = raw('i.resource_type'),
}: Record<'name' | 'where', Sql> & { actor: string; detail?: Sql }): Sql =>
  sql`SELECT u.username AS user_id, r.id AS resource_id, ${name} AS resource_name, r.user_id AS resource_owner, ${ofSwarm},
      ${detail} AS detail
    FROM invitations i JOIN resources r ON r.id = i.resource_id JOIN swarms s ON s.id = i.swarm_id
      JOIN "user" u ON u.username IN (i."from", i."to", ${actor})
    WHERE ${where}`;

/** SQL: the invitation `i` is for a role that its device has: it offers a later end. */
export const offersEnd = `i.ends_at IS NOT NULL AND EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = i.swarm_id AND m.resource_id = i.resource_id
  AND m.resource_type IN (i.resource_type, 'both') AND ${isOpen('m')})`;

/** The role, and the end of a new member on a second line. That of another member changes, which is an entry of its own. */
function withEnd(joined: { role: Sql; member: Record<'swarm' | 'resource', Sql>; endsAt: string }): Sql {
  const { role, member, endsAt } = joined;
  return sql`${role} || CASE WHEN EXISTS (SELECT 1 FROM memberships m WHERE m.swarm_id = ${member.swarm} AND m.resource_id = ${member.resource}
    AND ${raw(isOpen('m'))} AND m.ends_at IS DISTINCT FROM ${endsAt}) THEN '' ELSE CAST(${`\n${endsAt}`} AS text) END`;
}
const invited = { role: raw('i.resource_type'), member: { swarm: raw('i.swarm_id'), resource: raw('i.resource_id') } };

/**
 * For the actor, the sender and the recipient, while the invitation exists. The sender sees the resource's name only if the
 * invitation is accepted, or the resource is a member. `invitation.sent` and `invitation.accepted` are of those that are not, so the latter
 * comes before the resource is one; `invitation.end_offered` is of those that are, and so is what `invitation.rejected` and `invitation.withdrawn` become
 * (`invitation.end_rejected`). `endsAt`: the end that the owner of the resource has chosen to accept, unless that is as offered.
 */
export function invitationActivity(entry: {
  kind: `invitation.${'sent' | 'end_offered' | 'accepted' | 'rejected' | 'withdrawn'}`;
  actor: string;
  at: string;
  id: string;
  endsAt?: string;
}): Statement {
  const { kind, actor, id, endsAt } = entry;
  const [name, isEnd] = [raw('r.name'), raw(offersEnd)];
  const ofEither = {
    name: sql`CASE WHEN ${isEnd} THEN r.name ELSE ${visibleName} END`,
    where: always,
    detail: sql`CASE WHEN ${isEnd} THEN i.ends_at ELSE i.resource_type END`,
    kindOf: sql`CASE WHEN detail IN ('producer', 'consumer') THEN ${kind} ELSE replace(${kind}, '.', '.end_') END`,
  };
  const ofRole = { where: sql`NOT (${isEnd})`, detail: raw('i.resource_type'), kindOf: kind };
  const selected = {
    'invitation.sent': { ...ofRole, name: visibleName },
    'invitation.accepted': {
      ...ofRole,
      name,
      ...(endsAt !== undefined && { detail: withEnd({ ...invited, endsAt }) }),
    },
    'invitation.end_offered': { name, where: isEnd, detail: raw('i.ends_at'), kindOf: kind },
    'invitation.rejected': ofEither,
    'invitation.withdrawn': ofEither,
  }[kind];
  const where = sql`i.id = ${id} AND ${selected.where}`;
  return append({ ...entry, kind: selected.kindOf }, selectInvitation({ ...selected, actor, where }));
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
  return append(
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
  const anHourAgo = new Date(Date.parse(at) - hourMs).toISOString();
  const where = sql`i.swarm_id = ${swarmId} AND i.resource_id = ${resourceId} AND i.resource_type = ${role}
    AND i.status = 'new' AND i.sent_at < ${anHourAgo}`;
  return append({ at, kind: 'invitation.resent', actor }, selectInvitation({ actor, name: visibleName, where }));
}

/** Must come before the update, because it compares and records the old name. */
export function renamedResource(entry: { at: string; userId: string; id: string; name: string }): Statement {
  const { at, userId, id, name } = entry;
  return append(
    { at, kind: 'resource.renamed', actor: userId },
    sql`SELECT u.username AS user_id, r.id AS resource_id, CAST(${name} AS text) AS resource_name, r.user_id AS resource_owner,
        ${noSwarm}, r.name AS detail
      FROM resources r JOIN "user" u ON u.username = r.user_id
      WHERE r.id = ${id} AND r.user_id = ${userId} AND r.name <> ${name}`,
  );
}

/** For the resources' owner and the owners of their swarms. Must come before the deletion. */
export function deletedResources(entry: { at: string; userId: string; ids: readonly string[] }): Statement {
  const { at, userId, ids } = entry;
  const which = sql`r.id IN (${listOf(ids)}) AND ${belongsTo(userId, 'r.user_id')}`;
  return append(
    { at, kind: 'resource.deleted', actor: userId },
    sql`SELECT u.username AS user_id, ${ofResource}, ${noSwarm}, ${none} AS detail
      FROM resources r JOIN "user" u ON u.username = r.user_id WHERE ${which}
      UNION ALL
      SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, ${none} AS detail
      FROM resources r JOIN memberships m ON m.resource_id = r.id JOIN swarms s ON s.id = m.swarm_id
        JOIN "user" u ON u.username = s.user_id
      WHERE s.user_id <> r.user_id AND ${which}`,
  );
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
  const select = ({ swarmName, detail, where }: Record<'swarmName' | 'detail' | 'where', Sql>) =>
    sql`SELECT u.username AS user_id, ${noResource}, s.id AS swarm_id, ${swarmName} AS swarm_name, ${detail} AS detail
      FROM swarms s JOIN "user" u ON u.username = s.user_id WHERE s.id = ${id} AND ${where}`;
  const statements: Statement[] = [];
  if (name !== undefined) {
    const renamed = { swarmName: sql`CAST(${name} AS text)`, detail: raw('s.name'), where: sql`s.name <> ${name}` };
    statements.push(append({ at, kind: 'swarm.renamed', actor }, select(renamed)));
  }
  if (isPublic !== undefined) {
    const kind = isPublic ? 'swarm.published' : 'swarm.unpublished';
    const swarmName = sql`coalesce(${name ?? null}, s.name)`;
    const where = sql`s.public <> ${Number(isPublic)}`;
    statements.push(append({ at, kind, actor }, select({ swarmName, detail: none, where })));
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
  return append(
    entry,
    sql`SELECT u.username AS user_id, ${noResource}, ${ofSwarm}, CAST(${entry.userId} AS text) AS detail
      FROM swarms s JOIN "user" u ON u.username IN (s.user_id, ${entry.userId}) WHERE s.id = ${entry.swarmId}`,
  );
}

/** For the owner of the device and the user whom it is about, who is `detail`. */
export function handoverActivity(entry: {
  kind: Extract<ActivityKind, `resource.${'offer' | 'handed'}${string}`>;
  actor: string;
  at: string;
  resourceId: string;
  userId: string;
}): Statement {
  return append(
    entry,
    sql`SELECT u.username AS user_id, ${ofResource}, ${noSwarm}, CAST(${entry.userId} AS text) AS detail
      FROM resources r JOIN "user" u ON u.username IN (r.user_id, ${entry.userId}) WHERE r.id = ${entry.resourceId}`,
  );
}

/** For the owner of the device or the swarm that the open links `l` show. `detail`: the name of the link. */
export function shareLinkActivity(entry: {
  kind: Extract<ActivityKind, `resource.link_${string}` | `swarm.share_link_${string}`>;
  userId: string;
  at: string;
  open: Sql;
}): Statement {
  const { kind, userId, at, open } = entry;
  return append(
    { at, kind, actor: userId },
    sql`SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, l.name AS detail
      FROM share_links l LEFT JOIN resources r ON r.id = l.resource_id LEFT JOIN swarms s ON s.id = l.swarm_id
        JOIN "user" u ON u.username = l.user_id
      WHERE ${open}`,
  );
}

/** For the owner of the swarm and who did it, while the link has not been ended. `detail`: its name. */
export function joinLinkActivity(entry: {
  kind: Extract<ActivityKind, `swarm.link_${string}`>;
  actor: string;
  at: string;
  id: string;
}): Statement {
  return append(
    entry,
    sql`SELECT u.username AS user_id, ${noResource}, ${ofSwarm}, l.name AS detail
      FROM join_links l JOIN swarms s ON s.id = l.swarm_id JOIN "user" u ON u.username IN (s.user_id, ${entry.actor})
      WHERE l.id = ${entry.id} AND l.ended_at IS NULL`,
  );
}

/**
 * A device leaves the swarms that its new owner does not own: for their owners. Before it has its new owner. Its former owner has
 * not removed it from an own swarm: the new one has, by taking it over.
 */
export function leftForHandover(entry: { at: string; owner: string; resourceId: string; userId: string }): Statement {
  const { at, owner, resourceId, userId } = entry;
  return append(
    {
      at,
      kind: 'member.removed',
      actor: sql`CASE user_id WHEN ${owner} THEN CAST(${userId} AS text) ELSE CAST(${owner} AS text) END`,
    },
    sql`SELECT u.username AS user_id, ${ofResource}, ${ofSwarm}, m.resource_type AS detail
      FROM resources r JOIN memberships m ON m.resource_id = r.id JOIN swarms s ON s.id = m.swarm_id AND s.user_id <> ${userId}
        JOIN "user" u ON u.username = s.user_id WHERE r.id = ${resourceId}`,
  );
}

/**
 * For the owner, the managers and watchers, the owners of the members, those who were invited, and those who asked to join a swarm that
 * they still see. `detail`: the names of their devices that were members, invited, or asked to join. Must come before the
 * deletion.
 */
export function deletedSwarm({ at, id }: { at: string; id: string }): Statement {
  const most = raw(String(activityLimits.viewers));
  return append(
    { at, kind: 'swarm.deleted', actor: raw('actor') },
    sql`WITH invited AS MATERIALIZED (
        SELECT "to" AS user_id, resource_id FROM invitations WHERE swarm_id = ${id} AND status = 'new'
        UNION ALL SELECT q.user_id, q.resource_id FROM join_requests q JOIN swarms s ON s.id = q.swarm_id AND s.public = 1
        WHERE q.swarm_id = ${id} AND q.status = 'new' LIMIT ${most}),
      others AS MATERIALIZED (
        SELECT viewer.user_id FROM ${raw(viewers)} WHERE viewer.swarm_id = ${id} AND ${raw(hasMembers)}
          AND viewer.user_id <> (SELECT user_id FROM swarms WHERE id = ${id}) LIMIT ${most}),
      concerned AS MATERIALIZED (
        SELECT resource_id FROM invited UNION SELECT resource_id FROM (
          SELECT m.resource_id FROM memberships m JOIN resources r ON r.id = m.resource_id
          WHERE m.swarm_id = ${id} AND r.user_id IN (SELECT user_id FROM others) AND EXISTS (SELECT 1 FROM others)
          LIMIT ${most}) member),
      named AS (
        SELECT r.user_id, r.name, row_number() OVER (PARTITION BY r.user_id ORDER BY r.name_key, r.ref) AS place
        FROM concerned c JOIN resources r ON r.id = c.resource_id),
      names AS (
        SELECT user_id, string_agg(CASE WHEN place <= ${raw(String(activityLimits.names))} THEN name ELSE '…' END, ', ' ORDER BY place) AS text
        FROM named WHERE place <= ${raw(String(activityLimits.names + 1))} GROUP BY user_id)
      SELECT u.username AS user_id, s.user_id AS actor, ${noResource}, ${ofSwarm}, names.text AS detail
      FROM swarms s JOIN (SELECT user_id FROM swarms WHERE id = ${id} UNION SELECT user_id FROM others
          UNION SELECT user_id FROM invited UNION SELECT user_id FROM managers WHERE swarm_id = ${id}) known ON true
        JOIN "user" u ON u.username = known.user_id LEFT JOIN names ON names.user_id = u.username
      WHERE s.id = ${id}`,
  );
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
  const names = raw(String(activityLimits.names));
  return append(
    { at, kind, actor: serverActor, amount: raw('amount') },
    sql`WITH told AS MATERIALIZED (SELECT r.id, r.name, r.name_key, r.ref, s.times FROM silences s
        JOIN resources r ON r.ref = s.ref WHERE s.user_id = ${userId} AND s.notice = ${notice}),
      total AS (SELECT count(*) AS devices FROM told),
      named AS (SELECT string_agg(name, ', ' ORDER BY name_key, ref) AS text FROM
        (SELECT name, name_key, ref FROM told ORDER BY name_key, ref LIMIT ${names}) first)
      SELECT u.username AS user_id, one.id AS resource_id, one.name AS resource_name,
        CASE WHEN one.id IS NOT NULL THEN u.username END AS resource_owner, ${noSwarm},
        CASE WHEN one.id IS NULL THEN devices ELSE greatest(one.times, 1) END AS amount,
        CASE WHEN devices > ${names} THEN named.text || ', …' WHEN devices > 1 THEN named.text END AS detail
      FROM "user" u JOIN total ON devices > 0 JOIN named ON true LEFT JOIN told one ON devices = 1 WHERE u.username = ${userId}`,
  );
}

/** For the users who want to know of silent members of the swarm, if they still do: one entry for all that are silent. */
export function swarmSilenceActivity(entry: {
  at: string;
  swarmId: string;
  silences: readonly SilentMembers[];
}): Statement {
  const { at, swarmId, silences } = entry;
  const given = (name: keyof SilentMembers) => raw(`json_extract(given.value, '$.${name}')`);
  return append(
    { at, kind: 'swarm.silent', actor: serverActor, amount: raw('amount') },
    sql`SELECT u.username AS user_id, ${given('resource_id')} AS resource_id, ${given('resource_name')} AS resource_name,
        ${given('resource_owner')} AS resource_owner, ${ofSwarm}, CAST(${given('devices')} AS bigint) AS amount, ${given('names')} AS detail
      FROM elements(${JSON.stringify(silences)}) given JOIN "user" u ON u.username = ${given('user_id')} JOIN swarms s ON s.id = ${swarmId}
      WHERE u.username IN (${raw(silenceRecipients('s.id'))})`,
  );
}

/**
 * For each of these users, if they still own devices in the swarm: who sees them now and did not before. By the owner of the swarm: what
 * a swarm's owner lets happen must not push out what the server tells.
 */
export function audienceActivity(entry: {
  at: string;
  swarmId: string;
  recipients: readonly { user: string; detail: string }[];
}): Statement {
  const { at, swarmId, recipients } = entry;
  const given = (name: 'user' | 'detail') => raw(`json_extract(given.value, '$.${name}')`);
  const appended = append(
    { at, kind: 'swarm.audience_grown', actor: raw('actor') },
    sql`SELECT u.username AS user_id, s.user_id AS actor, ${noResource}, ${ofSwarm}, ${given('detail')} AS detail
      FROM elements(${JSON.stringify(recipients)}) given JOIN "user" u ON u.username = ${given('user')}
        JOIN swarms s ON s.id = ${swarmId} AND s.user_id <> ''
      WHERE u.username IN (SELECT viewer.user_id FROM ${raw(viewers)} WHERE viewer.swarm_id = ${swarmId}
        AND ${raw(hasMembers)} AND ${raw(isViewer)})`,
  );
  return { ...appended, rows: recipients.length };
}

/** For the user whose import has ended at this time. `detail`: the file. */
export function importActivity({ at, action }: { at: string; action: string }): Statement {
  return append(
    { at, kind: 'resource.imported', actor: serverActor, amount: raw('amount') },
    sql`SELECT u.username AS user_id, ${noResource}, ${noSwarm}, a.done - a.failed AS amount,
        json_extract(a.about, '$.file') AS detail
      FROM actions a JOIN "user" u ON u.username = a.user_id
      WHERE a.id = ${action} AND a.kind = 'import' AND a.state = 'ended' AND a.ended_at = ${at}`,
  );
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
  const { kind, at, userId, actor = userId, detail = none, only = always } = entry;
  return append(
    { at, kind, actor },
    sql`SELECT u.username AS user_id, ${noResource}, ${noSwarm}, ${detail} AS detail
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
  return append(
    { at, kind, actor },
    sql`SELECT k.user_id, ${ofResource}, ${noSwarm}, k.name AS detail
      FROM api_keys k LEFT JOIN resources r ON r.id = k.resource_id WHERE k.id = ${id} AND k.user_id = ${userId}`,
  );
}

/** A device that changes itself with each message has at most one entry in this time. */
const changedEveryMs = hourMs;

/** Other fields than the name and the position were changed with a key. `detail`: the name of the key. */
export function changedResource(entry: { at: string; userId: string; id: string; keyId: string }): Statement {
  const { at, userId, id, keyId } = entry;
  const kind = 'resource.changed';
  const since = new Date(Date.parse(at) - changedEveryMs).toISOString();
  return append(
    { at, kind, actor: userId },
    sql`SELECT u.username AS user_id, ${ofResource}, ${noSwarm}, k.name AS detail
      FROM resources r JOIN "user" u ON u.username = r.user_id JOIN api_keys k ON k.id = ${keyId}
      WHERE r.id = ${id} AND r.user_id = ${userId} AND NOT EXISTS (SELECT 1 FROM activity a
        WHERE coalesce(a.resource_id, '') = ${id} AND coalesce(a.swarm_id, '') = '' AND a.kind = ${kind}
          AND a.user_id = ${userId} AND a.detail = k.name AND a.at > ${since})`,
  );
}
