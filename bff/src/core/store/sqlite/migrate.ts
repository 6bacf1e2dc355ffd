import { migrations, pendingMigrations, statementsOf, type Migration } from '../schema/migrations.ts';
import { createTriggers } from '../schema/triggers.ts';
import { StorageError } from '../statement.ts';
import type { Connection } from './connection.ts';

const namesOf = (connection: Connection, sql: string) => connection.all(sql, []).map(({ name }) => String(name));

/** What brings the file up to date. @throws StorageError if nothing does */
export function pendingIn(connection: Connection, all = migrations): readonly Migration[] {
  const tables = namesOf(connection, `SELECT name FROM sqlite_schema WHERE type = 'table'`);
  const isUnreleased = tables.includes('kysely_migration');
  const names = tables.includes('swarmdeck_migrations')
    ? namesOf(connection, 'SELECT name FROM swarmdeck_migrations')
    : undefined;
  if (tables.length > 0 && !names && !isUnreleased)
    throw new StorageError('away', 'is the database of another program');
  return pendingMigrations({ names, isUnreleased }, all);
}

/**
 * Brings the file up to date, in one transaction. Throws the database's own error. Foreign keys are off meanwhile: to rebuild
 * a table, a migration drops it, which would delete the rows that refer to it
 * (https://www.sqlite.org/lang_altertable.html#otheralter). Each migration is checked for broken references instead.
 */
export function migrate({ connection, all }: { connection: Connection; all?: readonly Migration[] }): void {
  const pending = pendingIn(connection, all);
  if (pending.length === 0) return;
  const { raw } = connection;
  // SQLite ignores this PRAGMA within a transaction.
  raw.exec('PRAGMA foreign_keys = OFF');
  try {
    raw.exec('BEGIN IMMEDIATE');
    const triggers = namesOf(connection, `SELECT name FROM sqlite_schema WHERE type = 'trigger'`);
    for (const name of triggers) raw.exec(`DROP TRIGGER ${name}`);
    for (const migration of pending) {
      for (const statement of statementsOf('sqlite', migration)) raw.exec(statement);
      const [broken] = raw.prepare('PRAGMA foreign_key_check').all();
      if (broken) throw new Error(`${migration.name} leaves references to nothing: ${JSON.stringify(broken)}`);
    }
    for (const statement of createTriggers('sqlite')) raw.exec(statement);
    raw.exec('COMMIT');
  } finally {
    if (raw.isTransaction) raw.exec('ROLLBACK');
    raw.exec('PRAGMA foreign_keys = ON');
  }
}
