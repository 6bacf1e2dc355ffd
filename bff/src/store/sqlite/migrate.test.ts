import { describe, expect, test } from 'vitest';
import { migrations, type Migration } from '../schema/migrations.ts';
import { firstReleaseDump, rowsOfSqlite, schemaOfSqlite } from '../schema.fixture.ts';
import { temporaryFolder } from '../store.fixture.ts';
import { openConnection, type Connection } from './connection.ts';
import { migrate } from './migrate.ts';

function open({ dump = '' } = {}) {
  const folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  connection.raw.exec(`PRAGMA foreign_keys = OFF; ${dump} PRAGMA foreign_keys = ON`);
  return {
    connection,
    [Symbol.dispose]() {
      connection.close();
      folder[Symbol.dispose]();
    },
  };
}

const everything = (connection: Connection) => ({
  schema: schemaOfSqlite(connection),
  rows: rowsOfSqlite(connection),
  applied: connection.all('SELECT * FROM swarmdeck_migrations', []),
});
const create = (row: string) =>
  `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
   VALUES ('${row}', 'ann', 'n', 'pc', '', '', 1, 'n', 'n')`;

test('a database of the first release is brought up to date, and keeps its rows', () => {
  using fresh = open();
  migrate(fresh);
  using old = open({ dump: firstReleaseDump('sqlite') });
  const { connection } = old;
  const before = rowsOfSqlite(connection);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);

  migrate(old);
  // Later migrations add columns.
  expect(rowsOfSqlite(connection)).toMatchObject(before);
  expect(schemaOfSqlite(connection)).toEqual(schemaOfSqlite(fresh.connection));
  expect(connection.all('PRAGMA foreign_key_check', [])).toEqual([]);

  // r3 had the highest number, and was deleted.
  connection.run(create('new'), []);
  expect(connection.get(`SELECT ref FROM resources WHERE id = 'new'`, [])).toEqual({ ref: 4 });
  expect(connection.get('SELECT kind, ref FROM feed ORDER BY seq DESC LIMIT 1', [])).toEqual({
    kind: 'resource.created',
    ref: 4,
  });
});

test('a database from before the first release is refused and not changed', () => {
  using old = open({ dump: 'CREATE TABLE kysely_migration (name text);' });
  const before = schemaOfSqlite(old.connection);
  expect(() => migrate(old)).toThrow('was written by a version from before the first release');
  expect(schemaOfSqlite(old.connection)).toEqual(before);
});

test('a failed migration is rolled back', () => {
  using file = open();
  const all: Migration[] = [...migrations, { name: '9999-wrong', statements: () => ['CREATE TABLE usage (id text)'] }];
  expect(() => migrate({ ...file, all })).toThrow('table usage already exists');
  expect(file.connection.all('SELECT * FROM sqlite_schema', [])).toEqual([]);
  migrate(file);
  expect(schemaOfSqlite(file.connection).columns).not.toEqual([]);
});

test('a database that is up to date is not changed', () => {
  using file = open();
  migrate(file);
  const before = everything(file.connection);
  migrate(file);
  expect(everything(file.connection)).toEqual(before);
});

test('refs are not given out again', () => {
  using file = open();
  migrate(file);
  file.connection.run(create('r1'), []);
  file.connection.run(create('r2'), []);
  file.connection.run(`DELETE FROM resources WHERE id = 'r2'`, []);
  file.connection.run(create('r3'), []);
  expect(file.connection.all('SELECT id, ref FROM resources ORDER BY ref', [])).toEqual([
    { id: 'r1', ref: 1 },
    { id: 'r3', ref: 3 },
  ]);
});

describe('a migration that rebuilds a table', () => {
  /** As https://www.sqlite.org/lang_altertable.html#otheralter says. */
  const rebuild = (rows: string): Migration => ({
    name: '9999-rebuild',
    statements: () => [
      `CREATE TABLE new_swarms (id text NOT NULL PRIMARY KEY, user_id text NOT NULL, name text, description text, public integer, listed integer)`,
      `INSERT INTO new_swarms SELECT id, user_id, name, description, public, listed FROM swarms WHERE ${rows}`,
      'DROP TABLE swarms',
      'ALTER TABLE new_swarms RENAME TO swarms',
    ],
  });
  const references = ({ connection }: { connection: Connection }) =>
    connection.all('SELECT swarm_id FROM memberships', []);

  function openFilled() {
    const file = open();
    migrate(file);
    file.connection.run(create('r1'), []);
    file.connection.run(
      `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ('w1', 'ann', 'Swarm', '', 1, '', 1)`,
      [],
    );
    file.connection.run(`INSERT INTO memberships VALUES ('w1', 'r1', 'both', '')`, []);
    return file;
  }

  test('keeps the rows that refer to it and its triggers, and foreign keys are on afterwards', () => {
    using file = openFilled();
    const { triggers } = schemaOfSqlite(file.connection);
    migrate({ ...file, all: [...migrations, rebuild('true')] });
    expect(references(file)).toEqual([{ swarm_id: 'w1' }]);
    expect(schemaOfSqlite(file.connection).triggers).toEqual(triggers);
    expect(file.connection.get('PRAGMA foreign_keys', [])).toEqual({ foreign_keys: 1 });
  });

  test('is rolled back if it leaves dangling references', () => {
    using file = openFilled();
    const before = everything(file.connection);
    expect(() => migrate({ ...file, all: [...migrations, rebuild('false')] })).toThrow(
      '9999-rebuild leaves references',
    );
    expect(everything(file.connection)).toEqual(before);
    expect(file.connection.get('PRAGMA foreign_keys', [])).toEqual({ foreign_keys: 1 });
  });
});
