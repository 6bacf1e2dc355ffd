/** The versions of the tables, for both stores. */
import { StorageError } from '../storage-error.ts';
import { baseTables, statementFor, type Store } from './tables.ts';
import { lastLegacyMigration, legacyUpgrade } from './legacy-upgrade.ts';

/** Its statements may have the types of `tables.ts`. */
export interface Migration {
  name: string;
  statements: (store: Store) => readonly string[];
}

/** The names of the applied migrations. */
const applied = 'CREATE TABLE swarmdeck_migrations (name text NOT NULL PRIMARY KEY, at text NOT NULL)';

const base: Migration = { name: '0001-base', statements: (store) => [applied, ...baseTables(store)] };

/** Links by which users join a swarm, without their secrets (service/link-codes.ts). */
const joinLinks: Migration = {
  name: '0002-join-links',
  statements: () => [
    // `joined`: how many resources have joined by it.
    `CREATE TABLE join_links (id text NOT NULL PRIMARY KEY,
       swarm_id text NOT NULL REFERENCES swarms (id) ON DELETE CASCADE, name text NOT NULL,
       resource_type text NOT NULL CHECK (resource_type IN ('producer', 'consumer', 'both')), expires_at text,
       max_resources integer, joined integer NOT NULL DEFAULT 0, created_at text NOT NULL, ended_at text)`,
    `CREATE INDEX join_links_by_swarm ON join_links (swarm_id, created_at, id)`,
    // The link by which the resource joined.
    `ALTER TABLE invitations ADD COLUMN link_id text`,
    `CREATE INDEX invitations_by_link ON invitations (link_id, resource_id) WHERE link_id IS NOT NULL`,
  ],
};

/** `role`: '' or 'operator'. */
const operator: Migration = {
  name: '0003-operator',
  statements: () => [
    `ALTER TABLE "user" ADD COLUMN disabled_at text`,
    `ALTER TABLE "user" ADD COLUMN role text NOT NULL DEFAULT ''`,
  ],
};

/** By which a database recognises its secret (store/secret.ts). It has one row. */
const secretFingerprint: Migration = {
  name: '0004-secret-fingerprint',
  statements: () => [
    'CREATE TABLE secret_fingerprint (id integer NOT NULL PRIMARY KEY CHECK (id = 1), fingerprint text NOT NULL)',
  ],
};

/**
 * In the order they are applied. One that was released never changes. All triggers are created again after the last one, so
 * a change of a trigger needs a migration too, which may have no statements.
 */
export const migrations: readonly Migration[] = [base, joinLinks, operator, secretFingerprint];

/** Tables whose rows belong to one database. */
const tablesOfStore = /^(feed\w*|swarmdeck_migrations)$/;
/** The tables that both stores have. Referenced tables come first. */
export const sharedTables: readonly string[] = migrations
  .flatMap(({ statements }) => statements('sqlite'))
  .flatMap((statement) => /^CREATE TABLE "?(\w+)/.exec(statement)?.[1] ?? [])
  .filter((name) => !tablesOfStore.test(name));

/** The names of the migrations that a database has; undefined if it has no table of them. */
export interface AppliedMigrations {
  names: readonly string[] | undefined;
  /** Those of the versions before `0001-base`. */
  earlier: readonly string[] | undefined;
}

/** What brings a database up to date. @throws StorageError if nothing does */
export function pendingMigrations(
  store: Store,
  { names = [], earlier }: AppliedMigrations,
  all = migrations,
): readonly Migration[] {
  if (earlier) {
    if (earlier.toSorted().at(-1) !== lastLegacyMigration[store])
      throw new StorageError('away', 'was written by a version that is too old to be updated');
    return [{ name: base.name, statements: () => [applied, ...legacyUpgrade[store]] }, ...all.slice(1)];
  }
  const unknown = names.find((name) => all.every((migration) => migration.name !== name));
  if (unknown !== undefined)
    throw new StorageError(
      'away',
      `was written by a newer version of Swarmdeck (${unknown}): start that one, or a newer one`,
    );
  return all.filter(({ name }) => !names.includes(name));
}

/** All statements of a migration, for one store. The last one stores that it was applied. */
export const statementsOf = (store: Store, { name, statements }: Migration): string[] => [
  ...statements(store).map((statement) => statementFor(store, statement)),
  `INSERT INTO swarmdeck_migrations VALUES ('${name}', '${new Date().toISOString()}')`,
];
