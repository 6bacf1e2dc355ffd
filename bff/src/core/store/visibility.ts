/**
 * Who sees the members of a swarm and their devices: the owner of the swarm, its managers and watchers, and the owners of its
 * members, and nobody while the swarm is being deleted. Triggers keep these users in `swarm_viewers`, so that the cost of a query does not depend on
 * the number of members. `user`, `swarm` and `resource` are SQL: columns or parameters.
 */
import { raw, sql, type Sql, type Statement } from './statement.ts';

/**
 * SQL: this row of `memberships` or `managers` has not ended. Every read of rows compares, because the row of one that has ended is deleted
 * about a second later (`consent-ends/`). The counts that triggers keep (`swarm_sizes`, `member_tallies`, `usage`) include it until then,
 * and so does what compares with them: the number of members of a swarm, quotas, and the time of its last change. The time is that of the
 * database: all processes have the same.
 */
export const isOpen = (row: string) => `(${row}.ends_at IS NULL OR ${row}.ends_at > time_now())`;
/** SQL: a row `viewer` of `swarm_viewers` has a right without an end, or one that has not ended. */
export const isViewer = '(viewer.endless > 0 OR viewer.ends_at > time_now())';

export const seesMembers = ({ user, swarm }: Record<'user' | 'swarm', Sql>): Sql =>
  sql`EXISTS (SELECT 1 FROM swarm_viewers viewer WHERE viewer.swarm_id = ${swarm} AND viewer.user_id = ${user} AND ${raw(isViewer)})`;

/** SQL: this row of `managers` is of a manager or a watcher: its user has agreed, and it has not ended. */
export const hasAgreed = (row: string) => `(${row}.agreed_at IS NOT NULL AND ${isOpen(row)})`;
/** SQL: this row of `managers` is of a manager, who has no end. */
export const isOfManager = (row: string) => `(${row}.role = 'manager' AND ${row}.agreed_at IS NOT NULL)`;

export const isManager = ({ user, swarm }: Record<'user' | 'swarm', Sql>): Sql =>
  sql`EXISTS (SELECT 1 FROM managers manager
    WHERE manager.swarm_id = ${swarm} AND manager.user_id = ${user} AND ${raw(isOfManager('manager'))})`;

/** `manager`, `watcher`, or null. */
export const roleOf = ({ user, swarm }: Record<'user' | 'swarm', Sql>): Sql =>
  sql`(SELECT named.role FROM managers named
    WHERE named.swarm_id = ${swarm} AND named.user_id = ${user} AND ${raw(hasAgreed('named'))})`;

/**
 * To this user, who neither owns nor manages the swarm `s`, it does not accept requests to join, because it blocks the user.
 */
export const isBlocked = (user: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM blocked_users blocked WHERE blocked.swarm_id = s.id AND blocked.user_id = ${user})
    AND s.user_id <> ${user} AND NOT ${isManager({ user, swarm: raw('s.id') })}`;

/** True for a device of another user that is in one of the swarms whose members the user sees. Checked for each of them, because a device is in few. */
export const seesDevice = ({ user, resource }: Record<'user' | 'resource', Sql>): Sql =>
  sql`EXISTS (SELECT 1 FROM memberships seen WHERE seen.resource_id = ${resource}
    AND ${raw(isOpen('seen'))} AND ${seesMembers({ user, swarm: raw('seen.swarm_id') })})`;

/**
 * Since when: another user in one of these swarms, since both the device and the user are in it. A user is in a swarm since the oldest
 * membership of own devices, or as a manager or watcher since agreeing; its owner always is, or since agreeing to manage it before
 * taking it over. Null if the user does not see the device.
 */
export const seesDeviceSince = ({ user, resource }: Record<'user' | 'resource', Sql>): Sql =>
  sql`(SELECT min(greatest(seen.member_since, CASE WHEN s.user_id = ${user} THEN coalesce(s.owner_since, seen.member_since) ELSE least(
      coalesce((SELECT named.agreed_at FROM managers named WHERE named.swarm_id = s.id AND named.user_id = ${user} AND ${raw(isOpen('named'))}), '9999'),
      coalesce((SELECT own.member_since FROM memberships own JOIN resources mine ON mine.id = own.resource_id
        WHERE own.swarm_id = s.id AND mine.user_id = ${user} AND ${raw(isOpen('own'))} ORDER BY own.member_since LIMIT 1), '9999')) END))
    FROM memberships seen JOIN swarms s ON s.id = seen.swarm_id
    WHERE seen.resource_id = ${resource} AND ${raw(isOpen('seen'))} AND ${seesMembers({ user, swarm: raw('s.id') })})`;

/**
 * Since when a user may read the messages that members send to the row `s` of `swarms`: its owner always, or since agreeing to manage it before
 * taking it over; managers and watchers since agreeing; others since they have a consumer in it. '9999' if the user may not.
 */
export const readsMessagesSince = (user: Sql): Sql =>
  sql`CASE WHEN s.user_id = ${user} THEN coalesce(s.owner_since, '') ELSE least(
    coalesce((SELECT named.agreed_at FROM managers named WHERE named.swarm_id = s.id AND named.user_id = ${user} AND ${raw(isOpen('named'))}), '9999'),
    coalesce((SELECT own.member_since FROM memberships own JOIN resources mine ON mine.id = own.resource_id
      WHERE own.swarm_id = s.id AND mine.user_id = ${user} AND own.resource_type <> 'producer' AND ${raw(isOpen('own'))}
      ORDER BY own.member_since LIMIT 1), '9999')) END`;

/**
 * Whether a user with members in a swarm, who neither owns, manages nor watches it, reads its messages: with a consumer, all that go to all; else
 * those of an own member. `sender`: the device whose messages are read, or '' for all.
 */
export const memberReadsMessages = ({ user, swarm, sender }: Record<'user' | 'swarm' | 'sender', Sql>): Sql =>
  sql`(EXISTS (SELECT 1 FROM member_tallies tally
      WHERE tally.swarm_id = ${swarm} AND tally.user_id = ${user} AND tally.resource_type <> 'producer'
      GROUP BY tally.swarm_id HAVING sum(tally.resources) > (SELECT count(*) FROM memberships gone JOIN resources r ON r.id = gone.resource_id
        WHERE gone.swarm_id = ${swarm} AND gone.ends_at <= time_now() AND gone.resource_type <> 'producer' AND r.user_id = ${user}))
    OR EXISTS (SELECT 1 FROM memberships own JOIN resources r ON r.id = own.resource_id AND r.user_id = ${user}
      WHERE own.swarm_id = ${swarm} AND own.resource_id = ${sender} AND ${raw(isOpen('own'))}))`;

/** For use after FROM: the rows `s` of `swarms` whose members `viewer.user_id` sees. */
export const seenSwarms = `swarm_viewers viewer JOIN swarms s ON s.id = viewer.swarm_id AND ${isViewer}`;

/** For use after FROM: with `isViewer`, the users `viewer.user_id` who see the members of `viewer.swarm_id`. */
export const viewers = 'swarm_viewers viewer';
/** The viewer has members in the swarm. */
export const hasMembers = 'viewer.resources > 0';

/** How many of the user's resources receive in the row `s` of `swarms`. */
export const consumersOf = (user: string): Sql =>
  sql`(SELECT own.consumers FROM swarm_viewers own WHERE own.swarm_id = s.id AND own.user_id = ${user})`;

/** SQL: who can ask to join the swarm of this row: nobody, users who have its address, or all users, who can find it in the directory. */
export const reachOf = (row: string) => `CASE WHEN ${row}.public = 0 OR ${row}.accepts_requests = 0 THEN 'private'
  WHEN ${row}.listed = 1 THEN 'listed' ELSE 'open' END`;

/** SQL: users join by this link without asking, at this time. */
export const isOpenLink = (
  row: string,
  time: string,
) => `(${row}.ended_at IS NULL AND (${row}.expires_at IS NULL OR ${row}.expires_at > ${time})
  AND (${row}.max_resources IS NULL OR ${row}.joined < ${row}.max_resources))`;

/** SQL: a link that shows members of its swarm has not ended, at this time. */
export const isOpenToGuests = (row: string, time: string) => `${row}.expires_at > ${time}`;

/** SQL: five sorts of rows of `audience_changes`. Each has a limit of its own. */
export const changesOfRoles = `kind IN ('owner', 'manager', 'watcher', 'none')`;
export const changesOfReach = `kind IN ('private', 'open', 'listed')`;
export const changesOfReceivers = `kind IN ('receives', 'receives_not')`;
export const changesOfLinks = `kind IN ('links', 'links_not')`;
export const changesOfGuests = `kind IN ('guests', 'guests_not')`;

/** SQL: the users who want to be told of silent members of a swarm: its owner, managers and watchers. */
export const silenceRecipients = (swarm: string) => `SELECT owned.user_id FROM swarms owned
  WHERE owned.id = ${swarm} AND owned.silence_notices = 1 UNION ALL SELECT named.user_id FROM managers named
  WHERE named.swarm_id = ${swarm} AND named.silence_notices = 1 AND ${hasAgreed('named')}`;

/** Nobody sees the members of this swarm from now on. */
export const removeViewers = (swarm: string): Statement => ({
  sql: 'DELETE FROM swarm_viewers WHERE swarm_id = $1',
  params: [swarm],
});

/**
 * SQL: when a device last joined the row `s` of `swarms`, or its owner last changed its settings. Of the members, only
 * those that are still in it. For a swarm of the directory, also those that have left (triggers.ts).
 */
export const lastActive = `greatest(coalesce(s.modified_at, s.created_at),
  coalesce((SELECT max(m.member_since) FROM memberships m WHERE m.swarm_id = s.id), s.created_at))`;
