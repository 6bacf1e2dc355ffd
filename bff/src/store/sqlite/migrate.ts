import { Kysely, SqliteAdapter, SqliteDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import type { Connection } from './connection.ts';
import * as ground from '../migrations/0001-ground.ts';
import * as invitations from '../migrations/0002-invitations.ts';
import * as screens from '../migrations/0003-screens.ts';
import * as demo from '../migrations/0004-demo.ts';
import * as savedViews from '../migrations/0005-saved-views.ts';
import * as resourceRefs from '../migrations/0006-resource-refs.ts';
import * as usage from '../migrations/0007-usage.ts';
import * as feed from '../migrations/0008-feed.ts';
import * as activity from '../migrations/0009-activity.ts';
import * as activityBounds from '../migrations/0010-activity-bounds.ts';
import * as answeredInvitations from '../migrations/0011-answered-invitations.ts';
import * as lastKnownNames from '../migrations/0012-last-known-names.ts';
import * as swarmModifiedAt from '../migrations/0013-swarm-modified-at.ts';
import * as actions from '../migrations/0014-actions.ts';
import * as refsInIndexes from '../migrations/0015-refs-in-indexes.ts';
import * as actionBounds from '../migrations/0016-action-bounds.ts';
import type { Value } from '../statement.ts';

/** In the order they are applied; a name that was once released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-ground': ground,
  '0002-invitations': invitations,
  '0003-screens': screens,
  '0004-demo': demo,
  '0005-saved-views': savedViews,
  '0006-resource-refs': resourceRefs,
  '0007-usage': usage,
  '0008-feed': feed,
  '0009-activity': activity,
  '0010-activity-bounds': activityBounds,
  '0011-answered-invitations': answeredInvitations,
  '0012-last-known-names': lastKnownNames,
  '0013-swarm-modified-at': swarmModifiedAt,
  '0014-actions': actions,
  '0015-refs-in-indexes': refsInIndexes,
  '0016-action-bounds': actionBounds,
};

/**
 * Brings the file to `upTo` (default: the newest). Throws the database's own error, with nothing half applied.
 * Foreign keys are off meanwhile: to rebuild a table, a migration drops it, which would delete the rows that refer to
 * it (https://www.sqlite.org/lang_altertable.html#otheralter). Each migration is checked for broken references instead.
 */
export async function migrate({
  connection,
  upTo,
  all = migrations,
}: {
  connection: Connection;
  upTo?: string;
  all?: Record<string, Migration>;
}): Promise<void> {
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
    provider: { getMigrations: async () => checked(all) },
  });
  // it has no effect within a transaction
  connection.raw.exec('PRAGMA foreign_keys = OFF');
  try {
    const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
    if (error !== undefined) throw error as Error;
  } finally {
    connection.raw.exec('PRAGMA foreign_keys = ON');
  }
}

/** The check is a part of each migration, so that a failure undoes it. */
function checked(all: Record<string, Migration>): Record<string, Migration> {
  const withCheck = ([name, { up }]: [string, Migration]): [string, Migration] => [
    name,
    {
      async up(db) {
        await up(db);
        const { rows } = await sql`PRAGMA foreign_key_check`.execute(db);
        if (rows.length > 0) throw new Error(`${name} leaves references to nothing: ${JSON.stringify(rows[0])}`);
      },
    },
  ];
  return Object.fromEntries(Object.entries(all).map(withCheck));
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
