// stores: PostgreSQL
/** Both stores have the same tables; a PostgreSQL database of the first release is brought up to date. */
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOfSenderTo } from './messages-of-sender.ts';
import { openDatabase } from './postgres/open-database.ts';
import { migrate } from './postgres/migrate.ts';
import { lastEnd } from './schema/triggers/swarm-viewers.ts';
import { openConnection } from './sqlite/connection.ts';
import { migrate as migrateFile } from './sqlite/migrate.ts';
import { raw, sql } from './statement.ts';
import { emptyTemplate, temporaryFolder, testDatabase, type TestDatabase } from './store.fixture.ts';
import { firstReleaseDump, rowsOfPostgres, schemaOfPostgres, schemaOfSqlite } from './schema.fixture.ts';

let database: TestDatabase;
let client: Client;
beforeEach(async () => {
  database = await testDatabase('postgres', emptyTemplate);
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function schemaOfNew() {
  await using other = await testDatabase('postgres', emptyTemplate);
  await migrate(other);
  const otherClient = new Client({ connectionString: other.url });
  await otherClient.connect();
  const schema = await schemaOfPostgres(otherClient);
  await otherClient.end();
  return schema;
}

/** The dump sets an empty search path for its connection. */
async function load(dump: string) {
  const loading = new Client({ connectionString: database.url });
  await loading.connect();
  await loading.query(dump);
  await loading.end();
}

test('both stores have the same tables, columns, indexes and triggers', async () => {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrateFile({ connection });
  const sqlite = schemaOfSqlite(connection);
  connection.close();
  const postgres = await schemaOfNew();

  const isShared = (text: string) => !/feed_pending/.test(text);
  expect(postgres.columns.filter(({ table, name }) => isShared(table) && name !== 'snapshot')).toEqual(sqlite.columns);
  const whole = (index: string) => index.replace('substrsender_id,25,substrswarm_id,33', 'sender_id,swarm_id');
  expect(postgres.indexes.filter(isShared)).toEqual(sqlite.indexes.map(whole));
  expect(postgres.constraints.filter(isShared)).toEqual(sqlite.constraints);
  const nameOf = (trigger: string) => /TRIGGER (\w+)/.exec(trigger)![1]!;
  const onlyPostgres = ['activity_number', 'activity_order'];
  expect(postgres.triggers.map(nameOf).filter((name) => !onlyPostgres.includes(name))).toEqual(
    sqlite.triggers.map(nameOf),
  );
});

test('a database of the first release is brought up to date, and keeps its rows', async () => {
  await load(firstReleaseDump('postgres'));
  const before = await rowsOfPostgres(client);
  expect(Object.entries(before).filter(([table, rows]) => rows.length === 0 && table !== 'feed_pending')).toEqual([]);
  await migrate(database);
  // Later migrations add columns.
  expect(await rowsOfPostgres(client)).toMatchObject(before);
  expect(await schemaOfPostgres(client)).toEqual(await schemaOfNew());

  const db = await openDatabase(database);
  await db.write([{ sql: `UPDATE resources SET name = 'New' WHERE id = 'r1'` }]);
  const newest = await db.read({ sql: 'SELECT kind, resource_id FROM feed ORDER BY seq DESC LIMIT 1' });
  expect(newest).toEqual([{ kind: 'resource.updated', resource_id: 'r1' }]);
  await db.close();
});

test('the last end of a user is found without the members of others', async () => {
  await migrate(database);
  await client.query('SET enable_seqscan = off');
  const { rows } = await client.query<Record<string, string>>(`EXPLAIN SELECT ${lastEnd()} FROM swarm_viewers`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('memberships_ending_of_user');
  expect(plan).toContain('(swarm_id = swarm_viewers.swarm_id) AND (user_id = swarm_viewers.user_id)');
});

test('the messages of a sender are found by the whole ids, and by nothing else', async () => {
  await migrate(database);
  await client.query('SET enable_seqscan = off');
  const ids = { sender: raw(`'a'`), swarm: raw(`'s'`) };
  const explain = sql`EXPLAIN SELECT max(seq) FROM messages m WHERE ${isOfSenderTo('m', ids)}`;
  const { rows } = await client.query<Record<string, string>>(explain.sql);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(
    /Index Only Scan Backward using messages_of_sender.*\n.*Cond: \(\(sender_id = .* AND \(swarm_id = /,
  );
  expect(plan).not.toContain('Filter');
});

test('a trigger reads few rows for each one, also if it was planned when its table had none', async () => {
  await migrate(database);
  await client.query('ANALYZE activity');
  const insert = (from: number, to: number) =>
    client.query(`INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id)
      SELECT 'ann', number, '2026-11-28T10:00:00.000Z', 'swarm.deleted', 'ben', 'swarm ' || number
      FROM generate_series(${from}, ${to}) number`);
  // A connection keeps a plan from the sixth time on.
  for (let number = 1; number <= 6; number++) await insert(number, number);
  await client.query('BEGIN');
  await insert(7, 1006);
  const { rows } = await client.query<{ read: string }>(
    `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'activity'`,
  );
  await client.query('ROLLBACK');
  expect(Number(rows[0]!.read)).toBeLessThan(20 * 1000);
});

test('a trigger of the operator stays', async () => {
  await load(firstReleaseDump('postgres'));
  await client.query(`CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  await client.query('CREATE TRIGGER audit_swarms AFTER INSERT ON swarms FOR EACH ROW EXECUTE FUNCTION audit()');
  await migrate(database);
  expect((await schemaOfPostgres(client)).triggers.filter((trigger) => trigger.includes('audit_swarms'))).toHaveLength(
    1,
  );
});

test('databases that are too old or too new are refused and not changed', async () => {
  await client.query('CREATE TABLE kysely_migration (name text)');
  const before = await schemaOfPostgres(client);
  await expect(migrate(database)).rejects.toThrow(
    'the database was written by a version from before the first release. This version cannot open it. Nothing was changed',
  );
  expect(await schemaOfPostgres(client)).toEqual(before);
  await client.query('DROP TABLE kysely_migration');
  await migrate(database);
  await client.query(`INSERT INTO swarmdeck_migrations VALUES ('9999-telepathy', '')`);
  await expect(migrate(database)).rejects.toThrow(
    'the database was written by a newer version of Swarmdeck (9999-telepathy): start that one, or a newer one',
  );
});
