import { Client, type ClientBase } from 'pg';
import { migrations, pendingMigrations, statementsOf, type Migration } from '../schema/migrations.ts';
import { createTriggers } from '../schema/triggers.ts';
import { StorageError } from '../statement.ts';
import { announceMigration } from './feed-listener.ts';
import { storageError } from './fault.ts';

/** The key of the advisory lock that one process holds while it updates the tables: any number that no other program uses. */
const lockKey = 5_871_236_904;

/** The triggers of Swarmdeck have functions of the same name; others are of the operator. */
const dropTriggers = `DO $$ DECLARE name regprocedure; BEGIN
  FOR name IN SELECT p.oid FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND p.proname = t.tgname
  LOOP EXECUTE 'DROP FUNCTION ' || name || ' CASCADE'; END LOOP; END $$`;

async function hasTable(client: Pick<ClientBase, 'query'>, table: string): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [table]);
  return rows.length > 0;
}

async function appliedIn(client: Pick<ClientBase, 'query'>): Promise<string[] | undefined> {
  if (!(await hasTable(client, 'swarmdeck_migrations'))) return undefined;
  const { rows } = await client.query<{ name: string }>('SELECT name FROM swarmdeck_migrations');
  return rows.map(({ name }) => name);
}

/**
 * Brings the database up to date, in one transaction. Other processes wait for it, and then find nothing to do; those of an older
 * version, which use it already, are told by its commit (feed-listener.ts).
 */
export function migrate({ url, all = migrations }: { url: string; all?: readonly Migration[] }): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey})`);
    const applied = { names: await appliedIn(client), isUnreleased: await hasTable(client, 'kysely_migration') };
    const pending = pendingMigrations(applied, all);
    if (pending.length > 0) {
      const statements = pending.flatMap((migration) => statementsOf('postgres', migration));
      for (const statement of [dropTriggers, ...statements, ...createTriggers('postgres')])
        await client.query(statement);
      await client.query(announceMigration);
    }
    await client.query('COMMIT');
  });
}

/** Whether any version of Swarmdeck has used the database. Changes nothing. */
export const hasTables = ({ url }: { url: string }): Promise<boolean> =>
  withClient(
    url,
    async (client) => (await hasTable(client, 'swarmdeck_migrations')) || hasTable(client, 'kysely_migration'),
  );

async function withClient<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await run(client);
  } catch (error) {
    if (error instanceof StorageError)
      throw new StorageError(error.kind, `the database ${error.message}. Nothing was changed`);
    throw storageError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether a copy of a SQLite file (store/move-to-postgres.ts) into this database was interrupted. */
export const unfinishedMove = (client: Pick<ClientBase, 'query'>): Promise<boolean> =>
  hasTable(client, 'move_progress');
