import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import * as answeredInvitations from '../migrations/0011-answered-invitations.ts';
import * as refsInIndexes from '../migrations/0015-refs-in-indexes.ts';
import * as schema from './migrations/0001-schema.ts';
import * as activityBounds from './migrations/0002-activity-bounds.ts';
import * as lastKnownNames from './migrations/0004-last-known-names.ts';
import * as activityOrder from './migrations/0005-activity-order.ts';
import * as swarmModifiedAt from './migrations/0006-swarm-modified-at.ts';
import * as actions from './migrations/0007-actions.ts';
import * as actionBounds from './migrations/0009-action-bounds.ts';
import { storageError } from './fault.ts';

/** In the order they are applied; a name that was once released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-schema': schema,
  '0002-activity-bounds': activityBounds,
  '0003-answered-invitations': answeredInvitations,
  '0004-last-known-names': lastKnownNames,
  '0005-activity-order': activityOrder,
  '0006-swarm-modified-at': swarmModifiedAt,
  '0007-actions': actions,
  '0008-refs-in-indexes': refsInIndexes,
  '0009-action-bounds': actionBounds,
};

/** Brings the database up to date. The migrator holds a lock: other processes wait for it, and then find nothing to do. */
export async function migrate({ url }: { url: string }): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error as Error;
  } catch (error) {
    throw storageError(error);
  } finally {
    await db.destroy();
  }
}

/** Whether a copy of a SQLite file (store/move-to-postgres.ts) into this database was interrupted. */
export async function unfinishedMove(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 WHERE to_regclass('move_progress') IS NOT NULL");
  return rows.length > 0;
}
