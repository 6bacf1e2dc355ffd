/** As migration 0010 of SQLite. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Who causes an entry. Each has a limit of its own, so that strangers cannot push out what a user needs. */
const source = `CASE WHEN substr(kind, 1, 8) = 'account.' THEN 'account' WHEN actor = user_id THEN 'own' ELSE 'others' END`;
const limits = { account: 1000, own: 10_000, others: 10_000 };
const isRename = `new.kind IN ('resource.renamed', 'swarm.renamed')`;
const repeated = `user_id = new.user_id AND kind = new.kind AND coalesce(resource_id, '') = coalesce(new.resource_id, '')
    AND coalesce(swarm_id, '') = coalesce(new.swarm_id, '') AND actor = new.actor
    AND at > to_char(new.at::timestamptz AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const trim = ([name, most]: [string, number]) => {
  const ofSource = `user_id = new.user_id AND ${source} = '${name}'`;
  return `DELETE FROM activity WHERE ${ofSource} AND seq <=
    (SELECT seq FROM activity WHERE ${ofSource} ORDER BY seq DESC OFFSET ${most} LIMIT 1);`;
};

const statements = [
  `CREATE INDEX activity_by_source ON activity (user_id, (${source}), seq)`,
  `CREATE INDEX activity_repeated ON activity (user_id, kind, coalesce(resource_id, ''), coalesce(swarm_id, ''))`,
  // The new entry replaces an equal one of the last day. A rename keeps the first name, except if it is the new one.
  // Each entry about the account counts for its security.
  `CREATE OR REPLACE FUNCTION activity_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     new.seq = nextval('activity_seq');
     IF substr(new.kind, 1, 8) <> 'account.' THEN
       IF ${isRename} THEN
         new.detail = coalesce((SELECT detail FROM activity WHERE ${repeated}
           AND detail <> coalesce(new.resource_name, new.swarm_name) ORDER BY seq LIMIT 1), new.detail);
       END IF;
       DELETE FROM activity WHERE ${repeated} AND (${isRename} OR detail IS NOT DISTINCT FROM new.detail);
     END IF;
     RETURN new; END $$`,
  `CREATE OR REPLACE FUNCTION activity_limit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${Object.entries(limits).map(trim).join(' ')} RETURN NULL; END $$`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
