import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test } from 'vitest';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { migrate, migrations } from './migrate.ts';
import type { Row, Value } from '../statement.ts';
import { temporaryFolder } from '../store.fixture.ts';

const names = Object.keys(migrations);
const at = '2026-03-04T12:00:00.000Z';

/** Rows for every table that a migration brings, as somebody who stopped there would have them. */
const rowsOf: Record<string, Record<string, Row>> = {
  '0001-ground': {
    user: {
      id: 'u1',
      name: 'ann',
      email: 'a@people.invalid',
      emailVerified: 0,
      createdAt: at,
      updatedAt: at,
      username: 'ann',
    },
    session: { id: 's1', expiresAt: at, token: 't', createdAt: at, updatedAt: at, userId: 'u1' },
    account: {
      id: 'a1',
      accountId: 'u1',
      providerId: 'credential',
      userId: 'u1',
      password: 'h',
      createdAt: at,
      updatedAt: at,
    },
    verification: { id: 'v1', identifier: 'i', value: 'v', expiresAt: at, createdAt: at, updatedAt: at },
    retired_names: { name: 'gone' },
    resources: {
      ...{
        id: 'r1',
        user_id: 'ann',
        name: 'Öl 2',
        machine_type: 'bug',
        description: 'two\nlines',
        longitude: 12.5,
        latitude: -1,
      },
      ...{
        created_at: at,
        changed_at: at,
        version: 3,
        name_key: 'öl 12',
        name_folded: 'ol 2',
        description_folded: 'two\nlines',
      },
    },
    swarms: { id: 'w1', user_id: 'ann', name: 'Swarm', description: '', public: 1, created_at: at, version: 1 },
    memberships: { swarm_id: 'w1', resource_id: 'r1', resource_type: 'both', member_since: at },
    api_keys: {
      id: 'k1',
      user_id: 'ann',
      kind: 'device',
      name: 'n',
      hash: new Uint8Array([1, 2]),
      ends_in: 'abcd',
      created_at: at,
    },
    held_keys: { user_id: 'ann', key_id: 'k1', sealed: new Uint8Array([3]), created_at: at },
    idempotency: { user_id: 'ann', key: 'k', body_hash: new Uint8Array([4]), answer: '{}', created_at: at },
  },
  '0002-invitations': {
    invitations: {
      ...{ id: 'i1', from: 'ann', to: 'bob', swarm_id: 'w1', resource_id: 'r2', resource_type: 'consumer' },
      ...{ description: 'come', sent_at: at, status: 'new', created_at: at },
    },
  },
  // what it adds is filled from what was there
  '0003-screens': {},
  '0004-demo': { demo_records: { user_id: 'ann', kind: 'resource', id: 'r1' } },
  // it changes what was there
  '0006-resource-refs': {},
  '0005-saved-views': {
    saved_views: {
      ...{ id: 'v1', user_id: 'ann', name: 'Öl', name_folded: 'öl', name_key: 'öl', url: '/?q=%C3%B6l' },
      ...{ created_at: at, updated_at: at },
    },
  },
  // filled by counting what was there
  '0007-usage': {},
  // begins empty
  '0008-feed': {},
  '0009-activity': {
    activity: { user_id: 'ann', seq: 1, at, kind: 'swarm.deleted', actor: 'ben', swarm_id: 'w9', swarm_name: 'Gone' },
    activity_read: { user_id: 'ann', seq: 1 },
  },
  // it changes triggers
  '0010-activity-bounds': {},
  // it adds an index
  '0011-answered-invitations': {},
  // filled from what was there
  '0012-last-known-names': {},
  // it adds a column without values
  '0013-swarm-modified-at': {},
  '0014-actions': {
    actions: {
      id: 'a1',
      user_id: 'ann',
      kind: 'delete',
      about: '{}',
      state: 'paused',
      total: 1,
      wait: 0,
      created_at: at,
    },
    action_parts: { action_id: 'a1', part: 0, items: '[{}]' },
  },
  // it changes indexes
  '0015-refs-in-indexes': {},
  // it adds a column with a default
  '0016-action-bounds': {},
};

function open() {
  const folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  return {
    connection,
    [Symbol.dispose]() {
      connection.close();
      folder[Symbol.dispose]();
    },
  };
}

function schemaOf(connection: Connection) {
  return connection.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name', []);
}

function tablesOf(connection: Connection) {
  const tables = connection.all(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`, []);
  return tables.map(({ name }) => String(name)).filter((name) => !/^(sqlite|kysely|feed)/.test(name));
}

function insert(connection: Connection, table: string, row: Record<string, Value>) {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  const sql = `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  connection.run(sql, Object.values(row));
}

function everything(connection: Connection, tables: string[]) {
  return Object.fromEntries(tables.map((table) => [table, connection.raw.prepare(`SELECT * FROM "${table}"`).all()]));
}

test.each(names.map((name, index) => [name, index] as const))(
  'a database at %s is migrated to the current schema and keeps its rows',
  async (stop, index) => {
    using fresh = open();
    await migrate({ connection: fresh.connection });
    using old = open();
    await migrate({ connection: old.connection, upTo: stop });
    expect(rowsOf).toHaveProperty([stop]);
    for (const name of names.slice(0, index + 1)) {
      for (const [table, row] of Object.entries(rowsOf[name]!)) {
        insert(old.connection, table, row);
        insert(fresh.connection, table, row);
      }
    }
    const tables = tablesOf(old.connection);
    const before = everything(old.connection, tables);
    expect(tables.filter((table) => before[table]!.length === 0)).toEqual([]);

    await migrate({ connection: old.connection });
    expect(schemaOf(old.connection)).toEqual(schemaOf(fresh.connection));
    expect(old.connection.all('PRAGMA foreign_key_check', [])).toEqual([]);
    const allTables = tablesOf(fresh.connection);
    expect(everything(old.connection, allTables)).toEqual(everything(fresh.connection, allTables));
  },
);

test('a failed migration is rolled back', async () => {
  using file = open();
  // in the way of one of the last statements: an index of that name
  file.connection.raw.exec('CREATE TABLE other (age); CREATE INDEX idempotency_by_age ON other (age)');
  await expect(migrate({ connection: file.connection })).rejects.toThrow('idempotency_by_age already exists');
  expect(tablesOf(file.connection)).toEqual(['other']);
  expect(file.connection.all('SELECT * FROM kysely_migration', [])).toEqual([]);
  file.connection.raw.exec('DROP TABLE other');
  await migrate({ connection: file.connection });
  expect(tablesOf(file.connection)).toContain('idempotency');
});

test('a database that is up to date is not changed', async () => {
  using file = open();
  await migrate({ connection: file.connection });
  const before = { schema: schemaOf(file.connection), ...everything(file.connection, ['kysely_migration']) };
  await migrate({ connection: file.connection });
  expect({ schema: schemaOf(file.connection), ...everything(file.connection, ['kysely_migration']) }).toEqual(before);
});

test('devices of an old database keep their fields, are searchable, and get refs that are not reused', async () => {
  using file = open();
  const { connection } = file;
  await migrate({ connection, upTo: '0005-saved-views' });
  const row = rowsOf['0001-ground']!['resources']!;
  insert(connection, 'swarms', rowsOf['0001-ground']!['swarms']!);
  for (let number = 1; number <= 2500; number++) {
    insert(connection, 'resources', { ...row, id: `r${number}`, name: `Rostock–Laage ${number}`, name_folded: 'old' });
  }
  insert(connection, 'memberships', rowsOf['0001-ground']!['memberships']!);
  connection.run('DELETE FROM resources WHERE id = ?', ['r2']);
  const before = everything(connection, ['memberships', 'swarm_viewers', 'member_tallies']);

  await migrate({ connection });
  expect(everything(connection, ['memberships', 'swarm_viewers', 'member_tallies'])).toEqual(before);
  const rows = connection.all('SELECT ref, id, name_folded FROM resources ORDER BY ref', []);
  expect(rows).toHaveLength(2499);
  expect(rows.slice(0, 2)).toEqual([
    { ref: 1, id: 'r1', name_folded: 'rostocklaage 1' },
    { ref: 3, id: 'r3', name_folded: 'rostocklaage 3' },
  ]);
  expect(rows.at(-1)).toEqual({ ref: 2500, id: 'r2500', name_folded: 'rostocklaage 2500' });

  connection.run('DELETE FROM resources WHERE id = ?', ['r2500']);
  insert(connection, 'resources', { ...row, id: 'new' });
  expect(connection.get('SELECT ref FROM resources WHERE id = ?', ['new'])).toEqual({ ref: 2501 });
  connection.run('DELETE FROM resources WHERE id = ?', ['r1']);
  expect(connection.all('SELECT * FROM memberships', [])).toEqual([]);
  expect(connection.get('PRAGMA foreign_keys', [])).toEqual({ foreign_keys: 1 });
});

describe('a migration that rebuilds a table', () => {
  /** As https://www.sqlite.org/lang_altertable.html#otheralter says. */
  const rebuild = (rows: string): Migration => ({
    async up(db) {
      for (const statement of [
        `CREATE TABLE new_swarms (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL)`,
        `INSERT INTO new_swarms SELECT id, user_id FROM swarms WHERE ${rows}`,
        ...[
          ...['swarm_viewers_leave', 'feed_member_left', 'feed_viewer_left', 'feed_invitation_withdrawn'],
          ...['last_known_name_rejected', 'last_known_name_left'],
        ].map((trigger) => `DROP TRIGGER ${trigger}`),
        'DROP TABLE swarms',
        'ALTER TABLE new_swarms RENAME TO swarms',
      ]) {
        await sql.raw(statement).execute(db);
      }
    },
  });
  const references = (connection: Connection) => connection.all('SELECT swarm_id FROM memberships', []);

  async function openFilled() {
    const file = open();
    await migrate({ connection: file.connection });
    for (const table of ['resources', 'swarms', 'memberships']) {
      insert(file.connection, table, rowsOf['0001-ground']![table]!);
    }
    return file;
  }

  test('keeps the rows that refer to it, and foreign keys are on afterwards', async () => {
    using file = await openFilled();
    await migrate({ connection: file.connection, all: { ...migrations, '9999-rebuild': rebuild('true') } });
    expect(references(file.connection)).toEqual([{ swarm_id: 'w1' }]);
    expect(file.connection.get('PRAGMA foreign_keys', [])).toEqual({ foreign_keys: 1 });
  });

  test('is rolled back if it leaves dangling references', async () => {
    using file = await openFilled();
    const schema = schemaOf(file.connection);
    const all = { ...migrations, '9999-rebuild': rebuild('false') };
    await expect(migrate({ connection: file.connection, all })).rejects.toThrow('9999-rebuild leaves references');
    expect(schemaOf(file.connection)).toEqual(schema);
    expect(file.connection.get('SELECT id FROM swarms', [])).toEqual({ id: 'w1' });
    expect(file.connection.get('PRAGMA foreign_keys', [])).toEqual({ foreign_keys: 1 });
  });
});
