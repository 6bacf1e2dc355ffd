import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import type { Connection } from './connection.ts';
import * as ground from './migrations/0001-ground.ts';
import * as invitations from './migrations/0002-invitations.ts';
import * as screens from './migrations/0003-screens.ts';
import * as demo from './migrations/0004-demo.ts';
import * as savedViews from './migrations/0005-saved-views.ts';
import * as resourceRefs from './migrations/0006-resource-refs.ts';
import * as usage from './migrations/0007-usage.ts';
import type { Value } from './statement.ts';

/** In the order they are applied; a name that was once released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-ground': ground,
  '0002-invitations': invitations,
  '0003-screens': screens,
  '0004-demo': demo,
  '0005-saved-views': savedViews,
  '0006-resource-refs': resourceRefs,
  '0007-usage': usage,
};

/** Brings the file to `upTo` (default: the newest). Throws the database's own error, with nothing half applied. */
export async function migrate({ connection, upTo }: { connection: Connection; upTo?: string }): Promise<void> {
  const database = {
    close() {},
    prepare(sql: string) {
      const statement = connection.raw.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (params: readonly unknown[]) => statement.all(...(params as Value[])),
        run: (params: readonly unknown[]) => statement.run(...(params as Value[])),
        iterate: (params: readonly unknown[]) => statement.iterate(...(params as Value[])),
      };
    },
  };
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new OneTransactionDialect({ database }) }),
    provider: { getMigrations: async () => migrations },
  });
  // dropping a table to make it again would delete the rows that refer to it; it cannot be set within the transaction
  connection.raw.exec('PRAGMA foreign_keys = OFF');
  try {
    const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
    if (error !== undefined) throw error as Error;
  } finally {
    connection.raw.exec('PRAGMA foreign_keys = ON');
  }
}

/** Kysely takes SQLite for a database that cannot undo a CREATE TABLE, and would leave half of what fails. */
class OneTransactionDialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}
