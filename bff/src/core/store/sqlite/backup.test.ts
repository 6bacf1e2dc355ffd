import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestStorage, insertOf, temporaryFolder } from '../store.fixture.ts';
import { backUpFile } from './backup.ts';
import { openDatabase } from './open-database.ts';

const namesIn = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT name FROM retired_names ORDER BY name').all();
  db.close();
  return rows.map(({ name }) => name);
};

test('a backup of a database in use has everything that was acknowledged, and is private', async () => {
  await using context = await createTestStorage();
  using folder = temporaryFolder();
  await context.put('a', 'b');
  const { counts } = backUpFile({ url: context.db.url, file: folder.path });
  expect(counts).toMatchObject({ retired_names: 2, user: 0 });
  expect(namesIn(folder.path)).toEqual(['a', 'b']);
  expect((statSync(folder.path).mode & 0o777).toString(8)).toBe('600');
  expect(existsSync(`${folder.path}.part`)).toBe(false);

  // Later backups replace it, also after one that was interrupted.
  writeFileSync(`${folder.path}.part`, 'half of a backup');
  await context.put('c');
  backUpFile({ url: context.db.url, file: folder.path });
  expect(namesIn(folder.path)).toEqual(['a', 'b', 'c']);
});

test('a backup counts the users of the server, and not the partners of demos', async () => {
  await using context = await createTestStorage();
  using folder = temporaryFolder();
  const user = (name: string) =>
    `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
     VALUES ('${name}', '${name}', '${name}', 0, '', '', '${name}')`;
  // Who signs in by a provider has no password.
  const account = (name: string, password: string) =>
    `INSERT INTO account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
     VALUES ('${name}', '', 'credential', '${name}', ${password}, '', '')`;
  const statements = [user('ann'), account('ann', `'x'`), user('ben'), account('ben', 'NULL'), user('partner')];
  await context.db.write(statements.map((sql) => ({ sql })));
  const { users, counts } = backUpFile({ url: context.db.url, file: folder.path });
  expect([users, counts['user']]).toEqual([2, 3]);
});

test('a database that is damaged, missing or the target itself is not copied, and the last backup stays', async () => {
  using folder = temporaryFolder();
  using target = temporaryFolder();
  const db = await openDatabase({ url: folder.url });
  await db.write(Array.from({ length: 500 }, (_, index) => insertOf(`${index} ${'x'.repeat(500)}`)));
  await db.close();
  const file = target.path;
  backUpFile({ url: folder.url, file });
  const last = readFileSync(file);
  expect(() => backUpFile({ url: folder.url, file: folder.path })).toThrow('is the database itself');
  expect(() => backUpFile({ url: `${folder.url}-other`, file })).toThrow('ENOENT');

  const bytes = readFileSync(folder.path);
  bytes.fill(0x5a, bytes.length - 40 * 4096);
  writeFileSync(folder.path, bytes);
  expect(() => backUpFile({ url: folder.url, file })).toThrow(/was not written: .*malformed/);
  expect(readFileSync(file).equals(last)).toBe(true);

  mkdirSync(join(target.path, '..', 'folder'));
  expect(() => backUpFile({ url: target.url, file: join(target.path, '..', 'folder') })).toThrow('was not written');
  expect(readdirSync(join(target.path, '..')).filter((name) => name.endsWith('.part'))).toEqual([]);
});
