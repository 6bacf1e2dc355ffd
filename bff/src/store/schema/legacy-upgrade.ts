/** Databases of the versions before the first migration, which had other migrations for each store. */
import type { Store } from './tables.ts';

/** The last migration of these versions: only a database that has it is brought up to date. */
export const lastLegacyMigration: Record<Store, string> = {
  sqlite: '0016-action-bounds',
  postgres: '0009-action-bounds',
};

const both = [
  'DROP INDEX activity_repeated',
  `CREATE INDEX activity_repeated ON activity (coalesce(resource_id, ''), coalesce(swarm_id, ''), kind)`,
  'DROP TABLE kysely_migration',
  'DROP TABLE kysely_migration_lock',
];

/** Such a database has the tables of the first migration, except for this. */
export const legacyUpgrade: Record<Store, readonly string[]> = {
  sqlite: [
    'DROP INDEX "session_userId_idx"',
    'CREATE INDEX session_user_id ON session ("userId")',
    'DROP INDEX "account_userId_idx"',
    'CREATE INDEX account_user_id ON account ("userId")',
    'DROP INDEX verification_identifier_idx',
    'CREATE INDEX verification_identifier ON verification (identifier)',
    ...both,
  ],
  postgres: [
    ...['kind', 'about', 'state', 'undone_by', 'taken_by'].map(
      (column) => `ALTER TABLE actions ALTER COLUMN ${column} TYPE text`,
    ),
    ...['items', 'before', 'results'].map((column) => `ALTER TABLE action_parts ALTER COLUMN ${column} TYPE text`),
    ...both,
  ],
};
