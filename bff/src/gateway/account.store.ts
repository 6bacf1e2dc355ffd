import type { Database } from '../storage/database.ts';
import type { Row, Statement } from '../storage/statement.ts';

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

/** Of the service: what it has of a user ends in the same write. */
export interface Ending {
  statements: Statement[];
  /** Tells others about it, by the results of those statements. */
  tell(rows: readonly Row[][]): void;
}

/**
 * Takes a user out of every table in one write, and the name out of use for good.
 * Whatever table of a later migration holds something of a user gets its line here or in the service's `ending`: a
 * test compares the two. False where it is not `still` so that this is wanted.
 */
export async function deleteAccount(options: {
  db: Database;
  userName: string;
  ending: Ending;
  still: Statement;
}): Promise<boolean> {
  const { db, userName, ending, still } = options;
  const ofUser = (sql: string): Statement => ({ sql, params: [userName] });
  const userId = '(SELECT id FROM user WHERE username = ?)';
  const written = await db.write([
    ...ending.statements,
    still,
    ofUser('DELETE FROM held_keys WHERE user_id = ?'),
    ofUser('DELETE FROM saved_views WHERE user_id = ?'),
    ofUser(`DELETE FROM session WHERE "userId" = ${userId}`),
    ofUser(`DELETE FROM account WHERE "userId" = ${userId}`),
    ofUser('DELETE FROM user WHERE username = ?'),
    ofUser('INSERT INTO retired_names (name) VALUES (?) ON CONFLICT DO NOTHING'),
  ]);
  if (written.ok) ending.tell(written.rows);
  return written.ok;
}
