import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Later entries that are looked at: a transaction with very many entries of one user has them all itself. */
const most = 200;

/**
 * The entries of a user become visible in the order of their numbers: a reader marks those up to a number as read. An
 * entry gets its number when it is written, so one that is committed later than a higher number gets a new one. The lock
 * is that of the feed, which a batch of writes holds during its commit anyway.
 */
const statements = [
  `CREATE FUNCTION activity_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     PERFORM 1 FROM feed_name FOR UPDATE;
     IF EXISTS (SELECT 1 FROM (SELECT xmin AS writer FROM activity WHERE user_id = new.user_id AND seq > new.seq
         ORDER BY seq LIMIT ${most}) later WHERE writer <> pg_current_xact_id()::xid) THEN
       UPDATE activity SET seq = nextval('activity_seq') WHERE user_id = new.user_id AND seq = new.seq;
     END IF;
     RETURN NULL; END $$`,
  `CREATE CONSTRAINT TRIGGER activity_order AFTER INSERT ON activity DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION activity_order()`,
];

export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
