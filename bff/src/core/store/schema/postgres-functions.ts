/** Functions of the database that only PostgreSQL needs. Its triggers are in `triggers/`, as those of SQLite. */

const mostEntries = 50_000;

/** Rows of a JSON array of numbers or texts, as `json_each` of SQLite. */
const elements = `CREATE OR REPLACE FUNCTION elements(list text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE
  AS $$ SELECT value COLLATE "C" FROM json_array_elements_text(list::json) $$`;

/** The text at a path of one name, such as `$.id`, as in SQLite. */
const jsonExtract = `CREATE OR REPLACE FUNCTION json_extract(object text, path text) RETURNS text LANGUAGE sql IMMUTABLE
  AS $$ SELECT (object::json ->> substr(path, 3)) COLLATE "C" $$`;

/** The whole id, and an index has it. The planner puts it where the function was called. */
const indexedPart = `CREATE OR REPLACE FUNCTION indexed_part(id text, beginning integer) RETURNS text LANGUAGE sql IMMUTABLE
  AS $$ SELECT id $$`;

/** When the statement began. It is compared for rows with an end only. */
const timeNow = `CREATE OR REPLACE FUNCTION time_now() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C" $$`;

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
  RETURNS TABLE (place bigint, id text, sender_id text, user_id text, swarm_id text, to_id text, payload text, encoding text,
    properties text, is_named integer)
  LANGUAGE sql VOLATILE ROWS 5 AS $$ SELECT place, m->>'id', m->>'sender_id', m->>'user_id', m->>'swarm_id', m->>'to_id', m->>'payload',
    m->>'encoding', m->>'properties', (m->>'is_named')::integer FROM json_array_elements(list::json) WITH ORDINALITY AS t (m, place) $$`;

export const postgresFunctions = [elements, jsonExtract, indexedPart, timeNow, publishFeed, sentMessages];
