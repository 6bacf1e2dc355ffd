import type { Database } from '../storage/database.ts';
import type { Statement } from '../storage/statement.ts';

/** What a user owns, as the account page says it. */
export async function countOwned({ db, userName }: { db: Database; userName: string }) {
  const [counts] = await db.query<{ resources: number; swarms_owned: number; created_at: string }>(
    `SELECT "createdAt" AS created_at,
       (SELECT count(*) FROM resources WHERE user_id = ?1) AS resources,
       (SELECT count(*) FROM swarms WHERE user_id = ?1) AS swarms_owned
     FROM user WHERE username = ?1`,
    [userName],
  );
  return counts;
}

/**
 * Takes a user out of every table in one write, and the name out of use for good (service.md, "Users and sessions").
 * Whatever table of a later migration holds something of a user gets its line here: a test compares the two.
 */
export async function deleteAccount({
  db,
  userName,
  now,
}: {
  db: Database;
  userName: string;
  now: Date;
}): Promise<void> {
  const ofUser = (sql: string): Statement => ({ sql, params: [userName] });
  const userId = '(SELECT id FROM user WHERE username = ?)';
  await db.write([
    // those to others' swarms end rejected, as when the resource is destroyed; own swarms take theirs along
    {
      sql: `UPDATE invitations SET status = 'rejected', rejected_at = max(sent_at, ?) WHERE "to" = ? AND status = 'new'`,
      params: [now.toISOString(), userName],
    },
    {
      sql: `UPDATE swarms SET version = version + 1 WHERE id IN (SELECT swarm_id FROM swarm_viewers WHERE user_id = ?)`,
      params: [userName],
    },
    ofUser('DELETE FROM memberships WHERE resource_id IN (SELECT id FROM resources WHERE user_id = ?)'),
    ofUser('DELETE FROM memberships WHERE swarm_id IN (SELECT id FROM swarms WHERE user_id = ?)'),
    ofUser('DELETE FROM resources WHERE user_id = ?'),
    ofUser('DELETE FROM swarms WHERE user_id = ?'),
    ofUser('DELETE FROM idempotency WHERE user_id = ?'),
    ofUser('DELETE FROM held_keys WHERE user_id = ?'),
    ofUser('DELETE FROM api_keys WHERE user_id = ?'),
    ofUser(`DELETE FROM session WHERE "userId" = ${userId}`),
    ofUser(`DELETE FROM account WHERE "userId" = ${userId}`),
    ofUser('DELETE FROM user WHERE username = ?'),
    ofUser('INSERT INTO retired_names (name) VALUES (?) ON CONFLICT DO NOTHING'),
  ]);
}
