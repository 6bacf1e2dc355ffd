import { tablesOfUser } from '../collect.ts';
import type { QuotaRow } from '../limits/limit-rows.ts';
import { quotaTable } from '../limits/limit-tables.ts';
import type { CountedQuota } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { keyKinds } from '../store/key-kinds.ts';
import { ofUser } from '../store/of-user.ts';
import { sql, type Statement } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';

/** The counts of the quotas that name their table. */
const ownCounts = Object.entries<QuotaRow>(quotaTable).flatMap(([quota, { table }]) =>
  table === undefined ? [] : [`(SELECT count(*) FROM ${table} WHERE user_id = $1) AS ${quota}`],
);

/** The usage of this user's quotas, and what else the account page shows. Undefined if there is no such user. */
export async function readUsage({ db, userName }: { db: Pick<Database, 'read'>; userName: string }) {
  const amount = (kind: string) =>
    `coalesce((SELECT amount FROM usage WHERE user_id = $1 AND kind = '${kind}'), 0) AS ${kind}`;
  const [found] = await db.read<
    Record<Exclude<CountedQuota, 'streams'> | 'unstored_codes', number> & {
      created_at: string;
      role: 'operator' | null;
    }
  >({
    sql: `SELECT "createdAt" AS created_at, nullif(role, '') AS role, ${amount('resources')}, ${amount('swarms')}, ${amount('invitations')},
       ${amount('device_keys')},
       (SELECT count(*) FROM api_keys WHERE user_id = $1 AND kind = '${keyKinds.own}' AND resource_id IS NULL) AS keys,
       (SELECT count(*) FROM resources WHERE user_id = $1 AND keep_track = 1) AS tracks,
       (SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND stored = 0) AS unstored_codes,
       ${ownCounts.map((count) => `${count},`).join(' ')}
       (SELECT coalesce(max(members), 0) FROM swarms JOIN swarm_sizes ON swarm_id = id WHERE user_id = $1) AS members
     FROM "user" WHERE username = $1`,
    params: [userName],
    isLong: true,
  });
  if (!found) return undefined;
  const { created_at, role, unstored_codes, ...counts } = found;
  return { created_at, role, unstored_codes, counts };
}

/**
 * Ends an account in one write: sessions, password and keys are gone, and the name is retired. The user's
 * records are deleted afterwards; until then, the retired name shows that this is not finished.
 * A new table that holds something of a user gets a line here, in `tablesOfUser` of its capability, or in the service's deletions: a test
 * checks every table. Returns false if the `precondition` (the user's session) no longer holds. Without one, the
 * operator ends the account.
 */
export async function endAccount(options: {
  db: Database;
  userName: string;
  precondition?: Statement<'session ended'>;
}): Promise<boolean> {
  const { db, userName, precondition } = options;
  const forUser = (sql: string): Statement => ({ sql, params: [userName] });
  const { ok } = await db.write([
    // Waits for a request that is being sent, and for an action or a key that is being created.
    { ...lockUser(userName), orFail: 'session ended' },
    ...(precondition ? [precondition] : []),
    forUser('UPDATE swarms SET listed = 0 WHERE user_id = $1 AND listed = 1'),
    // The keys of devices are not valid any more, and are deleted with them.
    forUser('DELETE FROM api_keys WHERE user_id = $1 AND resource_id IS NULL'),
    forUser('DELETE FROM held_keys WHERE user_id = $1'),
    ...tablesOfUser.map((table) => forUser(`DELETE FROM ${table} WHERE user_id = $1`)),
    forUser('DELETE FROM resource_offers WHERE user_id = $1 OR to_user = $1'),
    // Nobody executes or sees them any more. The service's deletions delete them in parts, because they may have 300 MB.
    forUser(`UPDATE actions SET state = 'ended', ended_at = created_at WHERE user_id = $1 AND ended_at IS NULL`),
    forUser(`UPDATE actions SET user_id = '', taken_by = '', taken_until = '' WHERE user_id = $1`),
    forUser('DELETE FROM activity WHERE user_id = $1'),
    forUser('DELETE FROM activity_read WHERE user_id = $1'),
    sql`DELETE FROM session WHERE ${ofUser(userName)}`,
    sql`DELETE FROM account WHERE ${ofUser(userName)}`,
    forUser('DELETE FROM "user" WHERE username = $1'),
    forUser('INSERT INTO retired_names (name) VALUES ($1) ON CONFLICT DO NOTHING'),
    forUser('DELETE FROM join_requests WHERE user_id = $1'),
  ]);
  return ok;
}
