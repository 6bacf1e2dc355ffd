/**
 * Keeps a user's log readable and bounded: an entry replaces equal ones of the last day, and the oldest of all are deleted. What
 * a user did not do, and wants to be told, becomes a notice for the user's browsers and webhook.
 */
import { serverActor } from '../../../limits/field-rules.ts';
import { activityLimits, noticeMs } from '../../../limits/part-limits.ts';
import { activitySource, type Store } from '../tables.ts';
import { appendEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

/** Entries of a user's log, by who causes them: those of the server have a limit of their own. */
const mostEntries = [
  { condition: `${activitySource} = 'account'`, most: activityLimits.account },
  { condition: `${activitySource} = 'own'`, most: activityLimits.own },
  { condition: `${activitySource} = 'others' AND actor <> '${serverActor}'`, most: activityLimits.others },
  { condition: `${activitySource} = 'others' AND actor = '${serverActor}'`, most: activityLimits.ofServer },
];
/** Looking at 10,000 entries for each new one was half of the time of an action on many records. */
const trimmedEvery = 256;
/** Later entries that are looked at: a transaction with very many entries of one user has them all itself. */
const mostLater = 200;

const isRename = `new.kind IN ('resource.renamed', 'swarm.renamed')`;
/** At most two of a swarm in ten minutes, for up to as many users as it has members. */
const isAudience = `new.kind = 'swarm.audience_grown'`;
/** A sign-in with a browser that this server does not know: it may be somebody else. */
const isNewBrowser = `new.kind = 'account.signed_in_new'`;
const isOfServer = `new.actor = '${serverActor}'`;
const isAboutAccount = `substr(new.kind, 1, 8) = 'account.'`;
/** What a user did not do, and wants to be told. A swarm's owner is not invited by its manager. */
const isNotice = `(${isOfServer} OR ${isAudience} OR ${isNewBrowser} OR (new.actor <> new.user_id AND new.kind IN
  ('invitation.requested', 'resource.offered', 'swarm.offered', 'swarm.manager_asked', 'swarm.watcher_asked'))
  OR (new.kind IN ('invitation.sent', 'invitation.end_offered') AND new.resource_owner = new.user_id AND new.actor <> new.user_id))`;

/** Deletes all but the newest entries for which this is true. A user with fewer entries has none to delete, and they are not counted. */
const trim = ({ condition, most }: { condition: string; most: number }) => {
  const where = `user_id = new.user_id AND ${condition}`;
  return `DELETE FROM activity WHERE new.seq > ${most} AND ${where} AND seq <=
      (SELECT seq FROM activity WHERE ${where} ORDER BY seq DESC LIMIT 1 OFFSET ${most});`;
};

/**
 * Earlier entries of the last day of the same kind, by the same user, about the same records. `|| ''` and `+ 0` keep SQLite
 * from using the primary key, which finds all entries of the user.
 */
function repeatedIn(store: Store): string {
  const dayBefore =
    store === 'sqlite'
      ? `strftime('%Y-%m-%dT%H:%M:%fZ', new.at, '-1 day')`
      : `to_char(new.at::timestamptz AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return `coalesce(resource_id, '') = coalesce(new.resource_id, '')
    AND coalesce(swarm_id, '') = coalesce(new.swarm_id, '') AND kind = new.kind AND actor = new.actor
    AND user_id || '' = new.user_id AND seq + 0 < new.seq AND at > ${dayBefore}`;
}

const isEnd = `new.kind IN ('member.end_changed', 'invitation.end_offered')`;
/** A user who sets an end again and again must not push out what others did. */
const equalIn = (store: Store) => `${repeatedIn(store)} AND (detail IS NOT DISTINCT FROM new.detail OR ${isEnd})`;
/** A device that leaves and joins again has both in the log, or the log would say less of the first time than was true. */
const earlierEqual = `CASE WHEN (new.kind LIKE 'member.%' OR new.kind LIKE 'invitation.%') AND NOT ${isEnd}
  THEN ${activityLimits.repeated - 1} ELSE 0 END`;

/**
 * Adds to a delivery that still waits for more of the same, or creates one for each target of the user: an action invites
 * up to 500 devices, each in an entry of its own.
 */
function deliver(store: Store): string {
  const seconds = store === 'sqlite' ? `strftime('%s', new.at)` : 'extract(epoch FROM new.at::timestamptz)';
  const gatheredAt = `${seconds} * 1000 + ${noticeMs.gather}`;
  const gathered = `user_id = new.user_id AND kind = new.kind AND swarm_id IS NOT DISTINCT FROM new.swarm_id
    AND detail IS NOT DISTINCT FROM new.detail AND attempts = 0 AND next_at > 0`;
  return `UPDATE webhook_deliveries SET amount = coalesce(amount, 1) + 1, resource_id = NULL, resource_name = NULL
          WHERE ${gathered};
        INSERT INTO webhook_deliveries (user_id, session_id, at, kind, resource_id, resource_name, swarm_id, swarm_name, amount, detail, next_at)
          SELECT target.user_id, target.session_id, new.at, new.kind, new.resource_id, new.resource_name, new.swarm_id, new.swarm_name,
            new.amount, new.detail, CASE WHEN ${isOfServer} THEN 0 ELSE CAST(${gatheredAt} AS bigint) END
          FROM (SELECT user_id, NULL AS session_id FROM webhooks UNION ALL
            SELECT user_id, session_id FROM push_subscriptions) target
          WHERE target.user_id = new.user_id AND NOT EXISTS
            (SELECT 1 FROM webhook_deliveries WHERE session_id IS NOT DISTINCT FROM target.session_id AND ${gathered});`;
}

export const activityTriggers = (store: Store): Trigger[] => [
  // A rename keeps the first name, except if it is the new one. Entries about the account are not merged, because each
  // counts for its security.
  // Renames have a trigger of their own, because PostgreSQL would plan their update for every other entry.
  {
    name: 'activity_renamed',
    on: 'AFTER INSERT ON activity',
    when: isRename,
    body: `UPDATE activity SET detail = coalesce((SELECT detail FROM activity WHERE ${repeatedIn(store)}
            AND detail <> coalesce(new.resource_name, new.swarm_name) ORDER BY seq LIMIT 1), detail)
          WHERE user_id = new.user_id AND seq = new.seq;
        DELETE FROM activity WHERE ${repeatedIn(store)};`,
  },
  {
    name: 'activity_repeated',
    on: 'AFTER INSERT ON activity',
    when: `NOT (${isRename} OR ${isAboutAccount} OR ${isAudience}) AND new.actor <> '${serverActor}'`,
    body: `DELETE FROM activity WHERE ${equalIn(store)}
          AND seq <= (SELECT seq FROM activity WHERE ${equalIn(store)} ORDER BY seq DESC LIMIT 1 OFFSET ${earlierEqual});`,
  },
  {
    name: 'notice_created',
    on: 'AFTER INSERT ON activity',
    when: isNotice,
    // The other notices have events of their own.
    body: `${appendEntry(store, 'notice.created', { owner: 'new.user_id', record_id: 'new.kind' }, { when: `${isOfServer} OR ${isAudience} OR ${isNewBrowser}` })}
        ${deliver(store)}`,
  },
  {
    name: 'activity_limit',
    on: 'AFTER INSERT ON activity',
    when: `new.seq % ${trimmedEvery} = 0`,
    body: mostEntries.map(trim).join(' '),
  },
  ...(store === 'postgres' ? numberedAtCommit : []),
];

/** In PostgreSQL, where the transactions of a user may commit in another order than they began. */
const numberedAtCommit: readonly Trigger[] = [
  // Numbers of one user would need a lock for each user until the commit, and with it an order of all locks.
  { name: 'activity_number', on: 'BEFORE INSERT ON activity', body: `new.seq = nextval('activity_seq');` },
  // The entries of a user become visible in the order of their numbers: a reader marks those up to a number as read. An
  // entry gets its number when it is written, so one that is committed later than a higher number gets a new one. The
  // lock is that of the feed, which a batch of writes holds during its commit anyway.
  {
    name: 'activity_order',
    on: 'AFTER INSERT ON activity',
    isAtCommit: true,
    body: `PERFORM 1 FROM feed_name FOR UPDATE;
     IF EXISTS (SELECT 1 FROM (SELECT xmin AS writer FROM activity WHERE user_id = new.user_id AND seq > new.seq
         ORDER BY seq LIMIT ${mostLater}) later WHERE writer <> pg_current_xact_id()::xid) THEN
       UPDATE activity SET seq = nextval('activity_seq') WHERE user_id = new.user_id AND seq = new.seq;
     END IF;`,
  },
];
