import { randomBytes } from 'node:crypto';
import { operatorActor } from '../limits/field-rules.ts';
import type { Database } from './database.ts';
import { newestOf } from './newest-activity.ts';

/** Instead of the process that executes an action: the database was restored. Its next chunk may have begun before. */
export const takenByRestore = 'restore';

/** After a restore, the name of the feed begins with it. A browser whose session has ended then knows why. */
const restoredFeed = 'r';

/**
 * Tells all users: a device that has left a swarm since is a member again, and a key that was revoked works again. Each
 * change of what others may do has an entry, so the copy has all of these changes until its newest entry.
 */
const toldOfRestore = `INSERT INTO activity (user_id, seq, at, kind, actor, detail)
  SELECT u.username, ${newestOf('u.username')} + 1, time_now(), 'account.server_restored', $1,
    coalesce((SELECT max(at) FROM activity), (SELECT max("createdAt") FROM "user"))
  FROM "user" u WHERE u.username IS NOT NULL`;

/**
 * Brings a copy of a database into use. Clients have seen entries of the feed that the copy does not have: with a new name of
 * the feed, they fetch their lists again, and links to choose a password end. Sessions, and links that show a device,
 * that have ended since would be valid again, so all end. Users may have stopped their actions since, so all are paused. What was to be told may have been told. No device counts
 * as connected or online: the copy is older than now. The first round sets those online that were heard recently.
 */
export async function adoptCopy({ db }: { db: Database }): Promise<void> {
  await db.write([
    { sql: 'UPDATE feed_name SET name = $1', params: [restoredFeed + randomBytes(6).toString('hex')] },
    { sql: 'DELETE FROM session' },
    { sql: 'DELETE FROM share_links' },
    { sql: 'DELETE FROM resource_offers' },
    {
      sql: `UPDATE actions SET state = 'paused', taken_by = $1, taken_until = ''
            WHERE state IN ('pending', 'running', 'paused')`,
      params: [takenByRestore],
    },
    {
      // One statement: each change of a row has an entry in the feed.
      sql: `UPDATE presence SET connected_to = NULL,
              state = CASE WHEN state = 'online' AND heard_at > 0 THEN 'offline' ELSE state END,
              due_at = CASE WHEN state = 'online' AND heard_at > 0 THEN 0 ELSE due_at END
            WHERE connected_to IS NOT NULL OR (state = 'online' AND heard_at > 0)`,
    },
    { sql: 'DELETE FROM silences' },
    { sql: 'DELETE FROM webhook_deliveries WHERE session_id IS NOT NULL' },
    { sql: 'UPDATE webhook_deliveries SET next_at = NULL WHERE next_at IS NOT NULL' },
    { sql: 'DELETE FROM mails' },
    { sql: toldOfRestore, params: [operatorActor] },
  ]);
}
