import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { migrations, newestMigration, statementsOf, type Migration } from '../schema/migrations.ts';
import { createTriggers } from '../schema/triggers.ts';
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

test('a migration that was released is not changed', () => {
  const now = migrations.map(({ name, statements }) => {
    const text = JSON.stringify([statements('sqlite'), statements('postgres')]);
    return [name, createHash('sha256').update(text).digest('hex').slice(0, 12)];
  });
  expect(Object.fromEntries(now)).toEqual({
    '0001-base': '8d48ce0ffab0',
    '0002-join-links': '98bfc9300a82',
    '0003-operator': 'a3f3058c3f35',
    '0004-secret-fingerprint': '6d1b39637d4f',
    '0005-directory': 'e5c9b129bc62',
    '0006-managers': 'f1d9c2628193',
    '0007-join-requests': 'e6cc187aa74c',
    '0008-labels-and-pairs': '58c9e1bdb97c',
    '0009-messages': '996b4ba81cb7',
    '0010-open-actions': '85d75b6e80a0',
    '0011-swarm-texts': 'd8e9379a1ebd',
    '0012-messages-of-sender': '97bff8866479',
    '0013-presence': '69bd7ad93de8',
    '0014-watchers': '16b41b546080',
    '0015-gathered-notices': '643d54371042',
    '0016-quiet-deletions': '643d54371042',
    '0017-tracks': 'addc0a9024c0',
    '0018-track-parts': 'cda67ebf96dc',
    '0019-push': '6e00b9b5bc81',
    '0020-silence-notices': 'df4636599b9c',
    '0021-presence-turns': 'bcd873d04f0b',
    '0022-told-silences': '643d54371042',
    '0023-message-gaps': 'c4e51bafb7fa',
    '0024-message-bytes': 'd46d6f9857e9',
    '0025-notice-sources': 'b3179fd36d16',
    '0026-position-reports': '52432bd9c92f',
    '0027-phones': 'd782ae768adc',
    '0028-connections': 'c65654f98cfc',
    '0029-recovery-codes': 'ac7fb799299e',
    '0030-message-encodings': '889c4c71f105',
    '0031-refusals': '685f4f1fe249',
    '0032-message-properties': '1db9697cef99',
    '0035-senders': 'b68c4c8d4470',
    '0036-swarm-silences': 'd8ce9b7f498c',
    '0037-audience': '54e1c7e19a5d',
    '0038-values': 'c6a3c106c370',
    '0039-share-links': '5911e9d82b9c',
    '0040-notices': 'a6c673fb2651',
    '0041-value-bytes': 'ed75732a7724',
    '0044-handovers': '8347f46c96cb',
    '0045-consent-ends': 'a1aef7dc75d2',
    '0046-message-owners': '64cc315a09b7',
    '0047-own-ends': '481c6e9b70fc',
    '0050-used-steps': 'ed529e390f22',
    '0053-confirmed-sessions': 'b3b9984acbac',
    '0054-key-scopes': '37a0cd53374a',
    '0056-new-links': '76b4b4ef4848',
    '0057-passkeys': '6c0f53b51966',
    '0058-totp': '09d21771e9cf',
    '0059-new-browsers': '643d54371042',
    '0055-identities': 'a1006dd3def4',
    '0060-request-ends': 'e65a0d42f63c',
    '0061-addresses': 'cc36669d743b',
    '0062-swarm-links': '90209034292d',
    '0063-seen-changes': '643d54371042',
    '0064-stored-codes': 'ed5b9b5276f0',
    '0065-later-ends': '643d54371042',
    '0066-repeated-entries': '643d54371042',
    '0067-cheaper-triggers': '643d54371042',
    '0068-stored-later-ends': '915cc7a1830b',
    '0069-parts-of-senders': '02ef75d940b7',
    '0070-retried-actions': '3c6864e4081b',
    '0071-indexed-triggers': '643d54371042',
    '0072-joined-by': 'b7ff1aa97395',
    '0073-attempts': '514d00309918',
    '0074-kept-items': '02c1ee955fef',
    '0075-late-values': 'de3796035cda',
    '0076-mails': 'd6a703f79a95',
    '0077-shown-members': '6ceb88b9f070',
  });
});

test('a change of triggers comes with a migration, without which a database would keep the old ones', () => {
  const text = JSON.stringify([createTriggers('sqlite'), createTriggers('postgres')]);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  expect({ [newestMigration]: hash }).toEqual({ '0077-shown-members': '7cfc974c8fe9' });
});

test('recovery codes from before count as stored', () => {
  using file = open();
  const { connection } = file;
  for (const migration of migrations.filter(({ name }) => name < '0064'))
    for (const statement of statementsOf('sqlite', migration)) connection.raw.exec(statement);
  connection.run(`INSERT INTO recovery_codes VALUES ('ann', 'a')`, []);
  migrate(file);
  expect(connection.all('SELECT stored, set_id FROM recovery_codes', [])).toEqual([{ stored: 1, set_id: null }]);
});

test('invitations that nobody sent are told from those that were accepted', () => {
  using file = open();
  const { connection } = file;
  for (const migration of migrations.filter(({ name }) => name < '0072'))
    for (const statement of statementsOf('sqlite', migration)) connection.raw.exec(statement);
  connection.raw.exec(`INSERT INTO swarms (id, user_id, name, description, public, created_at, version)
    VALUES ('s', 'ann', 'n', '', 1, '', 1)`);
  const invited = (id: string, more: string) =>
    connection.raw
      .exec(`INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, status, created_at,
      sent_by, sent_at, accepted_at, link_id) VALUES ('${id}', 'ann', 'ben', 's', '${id}', 'producer', 'accepted', '1', ${more})`);
  const asked = (id: string, more: string) =>
    connection.raw
      .exec(`INSERT INTO join_requests (id, swarm_id, swarm_name, user_id, resource_id, resource_name, resource_folded,
      machine_type, resource_type, asked_at, status, ended_at)
      VALUES ('${id}', 's', 'n', 'ben', '${id}', 'n', 'n', 'pc', 'producer', '1', ${more})`);
  invited('sent', `'ann', '1', '2', NULL`);
  invited('link', `NULL, '2', '2', 'l'`);
  invited('sent before the link', `'ann', '1', '2', 'l'`);
  invited('asked', `'ann', '2', '2', NULL`);
  asked('asked', `'accepted', '2'`);
  invited('sent after it had asked', `'ann', '1', '2', NULL`);
  asked('sent after it had asked', `'accepted', '2'`);
  migrate(file);
  expect(connection.all('SELECT id, joined_by FROM invitations WHERE joined_by IS NOT NULL ORDER BY id', [])).toEqual([
    { id: 'asked', joined_by: 'request' },
    { id: 'link', joined_by: 'link' },
  ]);
});

test('a track that was one row is kept', () => {
  using file = open();
  const { connection } = file;
  // Without triggers, which need the tables of all migrations.
  for (const migration of migrations.filter(({ name }) => name < '0018'))
    for (const statement of statementsOf('sqlite', migration)) connection.raw.exec(statement);
  connection.run(create('r1'), []);
  connection.run('INSERT INTO tracks SELECT ref, 5, 10, 54, ? FROM resources', ['points']);
  migrate(file);
  expect(connection.all('SELECT part, at, longitude, latitude, points FROM tracks', [])).toEqual([
    { part: 0, at: 5, longitude: 10, latitude: 54, points: 'points' },
  ]);
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

test('changes of who sees a swarm keep their numbers when their table is rebuilt', () => {
  using file = open();
  const before = migrations.filter(({ name }) => name < '0056');
  migrate({ ...file, all: before });
  const { connection } = file;
  connection.run(
    `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ('w1', 'ann', 'Swarm', '', 0, '', 1)`,
    [],
  );
  const note = (kind: string) =>
    connection.run(
      `INSERT INTO audience_changes (swarm_id, at, kind, was) VALUES ('w1', '', '${kind}', 'private')`,
      [],
    );
  note('open');
  note('listed');
  connection.run(`DELETE FROM audience_changes WHERE kind = 'listed'`, []);
  migrate(file);
  note('links');
  expect(connection.all('SELECT seq, kind FROM audience_changes', [])).toEqual([
    { seq: 1, kind: 'open' },
    { seq: 3, kind: 'links' },
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
    file.connection.run(
      `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('w1', 'r1', 'both', '')`,
      [],
    );
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
