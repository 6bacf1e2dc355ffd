import { messageLimits } from '../../limits/field-rules.ts';

/** What only PostgreSQL has: functions, and triggers that are more than one statement for each row. */

const mostEntries = 50_000;
/** Later entries that are looked at: a transaction with very many entries of one user has them all itself. */
const mostLater = 200;

/** Rows of a JSON array of numbers or texts, as `json_each` of SQLite. */
const elements = `CREATE OR REPLACE FUNCTION elements(list text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE
  AS $$ SELECT value COLLATE "C" FROM json_array_elements_text(list::json) $$`;

/** The text at a path of one name, such as `$.id`, as in SQLite. */
const jsonExtract = `CREATE OR REPLACE FUNCTION json_extract(object text, path text) RETURNS text LANGUAGE sql IMMUTABLE
  AS $$ SELECT (object::json ->> substr(path, 3)) COLLATE "C" $$`;

/** The newest entry, whose snapshot has all transactions that are published. */
const readNewest = `SELECT seq, snapshot INTO newest, published FROM feed ORDER BY seq DESC LIMIT 1;
  newest := coalesce(newest, 0);
  published := coalesce(published, '1:1:');
  -- The data was moved here from a server that had counted more transactions.
  IF pg_snapshot_xmax(published) > pg_snapshot_xmax(pg_current_snapshot()) THEN published := '1:1:'; END IF;`;

/**
 * Moves committed entries to `feed`, and deletes the oldest of `feed`. Returns how many it moved. Of several callers one
 * works at a time: the numbers become visible in their order.
 *
 * It looks only at transactions that were not committed when it last ran, because entries that were deleted before slow
 * down every other search while an old transaction (a backup, for example) keeps PostgreSQL from removing them. For two
 * conditions with OR, PostgreSQL would read the whole index, so they are two searches.
 */
const began = 'transaction >= pg_snapshot_xmax(published)';
const wasRunning = 'transaction = ANY (ARRAY(SELECT pg_snapshot_xip(published)))';
const publishFeed = `CREATE OR REPLACE FUNCTION publish_feed() RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE newest bigint; published pg_snapshot; moved bigint;
  BEGIN
    ${readNewest}
    IF NOT EXISTS (SELECT 1 FROM feed_pending WHERE ${began})
      AND NOT EXISTS (SELECT 1 FROM feed_pending WHERE ${wasRunning}) THEN RETURN 0; END IF;
    PERFORM 1 FROM feed_name FOR UPDATE;
    ${readNewest}
    WITH a AS (DELETE FROM feed_pending WHERE ${began} RETURNING *),
      b AS (DELETE FROM feed_pending WHERE ${wasRunning} RETURNING *),
      committed AS (SELECT * FROM a UNION ALL SELECT * FROM b)
    INSERT INTO feed SELECT newest + row_number() OVER (ORDER BY id), pg_current_snapshot(), at, kind, owner, recipient,
      ref, resource_id, swarm_id, record_id, swarms_before, users_before, is_bulk FROM committed;
    GET DIAGNOSTICS moved = ROW_COUNT;
    DELETE FROM feed WHERE seq > newest - ${mostEntries} AND seq <= newest + moved - ${mostEntries};
    RETURN moved;
  END $$`;

/**
 * The messages that are sent together, from a JSON array. Volatile and of few rows: otherwise PostgreSQL would plan to read
 * all memberships for each batch.
 */
const sentMessages = `CREATE OR REPLACE FUNCTION sent_messages(list text)
  RETURNS TABLE (place bigint, id text, sender_id text, swarm_id text, to_id text, payload text, is_named integer)
  LANGUAGE sql VOLATILE ROWS 5 AS $$ SELECT place, m->>'id', m->>'sender_id', m->>'swarm_id', m->>'to_id', m->>'payload',
    (m->>'is_named')::integer FROM json_array_elements(list::json) WITH ORDINALITY AS t (m, place) $$`;

const functionOf = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`;

/** What the users of these messages are charged for. */
const bytesOf = (
  rows: string,
) => `SELECT user_id, 'message_bytes', sum(octet_length(payload) + ${messageLimits.rowBytes})
  FROM ${rows} WHERE user_id IS NOT NULL GROUP BY user_id ORDER BY user_id`;

export const postgresOnly = [
  elements,
  jsonExtract,
  publishFeed,
  sentMessages,

  functionOf(
    'resources_created',
    `INSERT INTO usage SELECT user_id, 'resources', count(*) FROM created GROUP BY user_id ORDER BY user_id
       ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;
     INSERT INTO feed_pending (kind, owner, ref, resource_id)
       SELECT 'resource.created', user_id, ref, id FROM created ORDER BY ref;
     RETURN NULL;`,
  ),
  `CREATE TRIGGER resources_created AFTER INSERT ON resources REFERENCING NEW TABLE AS created
     FOR EACH STATEMENT EXECUTE FUNCTION resources_created()`,

  // In the order of the users: the other order at the same time would be a deadlock.
  functionOf(
    'messages_sent',
    `INSERT INTO usage ${bytesOf('sent')} ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;
     RETURN NULL;`,
  ),
  `CREATE TRIGGER messages_sent AFTER INSERT ON messages REFERENCING NEW TABLE AS sent
     FOR EACH STATEMENT EXECUTE FUNCTION messages_sent()`,
  functionOf(
    'messages_deleted',
    `PERFORM 1 FROM usage WHERE kind = 'message_bytes' AND user_id IN (SELECT user_id FROM deleted) ORDER BY user_id FOR UPDATE;
     UPDATE usage SET amount = usage.amount - less.amount FROM (${bytesOf('deleted')}) AS less (user_id, kind, amount)
       WHERE usage.user_id = less.user_id AND usage.kind = less.kind;
     RETURN NULL;`,
  ),
  `CREATE TRIGGER messages_deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS deleted
     FOR EACH STATEMENT EXECUTE FUNCTION messages_deleted()`,

  // Numbers of one user would need a lock for each user until the commit, and with it an order of all locks.
  functionOf('activity_number', `new.seq = nextval('activity_seq'); RETURN new;`),
  `CREATE TRIGGER activity_number BEFORE INSERT ON activity FOR EACH ROW EXECUTE FUNCTION activity_number()`,
  // The entries of a user become visible in the order of their numbers: a reader marks those up to a number as read. An
  // entry gets its number when it is written, so one that is committed later than a higher number gets a new one. The
  // lock is that of the feed, which a batch of writes holds during its commit anyway.
  functionOf(
    'activity_order',
    `PERFORM 1 FROM feed_name FOR UPDATE;
     IF EXISTS (SELECT 1 FROM (SELECT xmin AS writer FROM activity WHERE user_id = new.user_id AND seq > new.seq
         ORDER BY seq LIMIT ${mostLater}) later WHERE writer <> pg_current_xact_id()::xid) THEN
       UPDATE activity SET seq = nextval('activity_seq') WHERE user_id = new.user_id AND seq = new.seq;
     END IF;
     RETURN NULL;`,
  ),
  `CREATE CONSTRAINT TRIGGER activity_order AFTER INSERT ON activity DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION activity_order()`,
];
