import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Who causes an entry. Each has a limit of its own, so that strangers cannot push out what a user needs. */
const source = `CASE WHEN substr(kind, 1, 8) = 'account.' THEN 'account' WHEN actor = user_id THEN 'own' ELSE 'others' END`;
const limits = { account: 1000, own: 10_000, others: 10_000 };
const isRename = `new.kind IN ('resource.renamed', 'swarm.renamed')`;
/** The plus signs keep SQLite from using another index, which finds all entries of a user or of a day. */
const repeated = `resource_id IS new.resource_id AND swarm_id IS new.swarm_id AND kind = new.kind
    AND +user_id = new.user_id AND actor = new.actor AND +seq < new.seq AND +at > strftime('%Y-%m-%dT%H:%M:%fZ', new.at, '-1 day')`;

const trim = ([name, most]: [string, number]) => {
  const ofSource = `user_id = new.user_id AND ${source} = '${name}'`;
  return `DELETE FROM activity WHERE ${ofSource} AND seq <=
    (SELECT seq FROM activity WHERE ${ofSource} ORDER BY seq DESC LIMIT 1 OFFSET ${most});`;
};

/** Deletes the oldest entries of a user for each so many new ones: counting is too slow for each entry. */
export const limitForEach = (entries: number) => `CREATE TRIGGER activity_limit AFTER INSERT ON activity
     WHEN new.seq % ${entries} = 0 BEGIN ${Object.entries(limits).map(trim).join(' ')} END`;

const statements = [
  `CREATE INDEX activity_by_source ON activity (user_id, (${source}), seq)`,
  `CREATE INDEX activity_repeated ON activity (resource_id, swarm_id, kind)`,
  // The new entry replaces an equal one of the last day. A rename keeps the first name, except if it is the new one.
  // Each entry about the account counts for its security.
  `CREATE TRIGGER activity_repeated AFTER INSERT ON activity WHEN substr(new.kind, 1, 8) <> 'account.' BEGIN
     UPDATE activity SET detail = coalesce((SELECT detail FROM activity WHERE ${repeated}
         AND detail <> coalesce(new.resource_name, new.swarm_name) ORDER BY seq LIMIT 1), detail)
       WHERE user_id = new.user_id AND seq = new.seq AND ${isRename};
     DELETE FROM activity WHERE ${repeated} AND (${isRename} OR detail IS new.detail);
   END`,
  `DROP TRIGGER activity_limit`,
  limitForEach(64),
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
