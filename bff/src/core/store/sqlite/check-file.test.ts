import { readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { insertOf, temporaryFolder, type Folder } from '../store.fixture.ts';

/** A database of ours with some hundred pages, closed. Its log is empty: a page in the log replaces that of the file. */
async function written({ path, url }: Folder) {
  const db = await openDatabase({ url });
  await db.write(Array.from({ length: 500 }, (_, index) => insertOf(`${index} ${'x'.repeat(500)}`)));
  await db.close();
  const closed = new DatabaseSync(path);
  closed.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  closed.close();
}

async function rowsIn({ url }: Folder) {
  const db = await openDatabase({ url });
  const { count } = (await db.read<{ count: number }>({ sql: 'SELECT count(*) AS count FROM retired_names' }))[0]!;
  await db.close();
  return count;
}

/** The sentence it is refused with; the file must be as it was. */
async function refusal({ path, url }: Folder): Promise<string> {
  const before = readFileSync(path);
  const error = await openDatabase({ url }).then(
    async (db) => {
      await db.close();
      throw new Error('it was opened');
    },
    (error: unknown) => error as Error,
  );
  expect(error).toMatchObject({ name: 'StorageError', kind: 'away' });
  expect(readFileSync(path).equals(before)).toBe(true);
  return error.message;
}

test('overwritten bytes are detected in every page', async () => {
  using folder = temporaryFolder();
  await written(folder);
  const whole = readFileSync(folder.path);
  for (let page = 1; page < whole.length / 4096; page += 4) {
    const bytes = Buffer.from(whole);
    bytes.fill(0x5a, page * 4096, (page + 1) * 4096);
    writeFileSync(folder.path, bytes);
    expect(await refusal(folder)).toMatch(
      /test\.db is damaged \(.+\): run `swarmdeck restore FILE`\. Nothing was changed$/,
    );
  }
});

test('a truncated file is detected', async () => {
  using folder = temporaryFolder();
  await written(folder);
  truncateSync(folder.path, Math.floor(statSync(folder.path).size / 8192) * 4096);
  expect(await refusal(folder)).toMatch(/is damaged/);
});

test('a file that is not a database is refused', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.path, 'Dear diary, '.repeat(1000));
  expect(await refusal(folder)).toMatch(/test\.db is not a database\. Nothing was changed$/);
});

test('the database of another program is refused', async () => {
  using folder = temporaryFolder();
  const other = new DatabaseSync(folder.path);
  other.exec('CREATE TABLE songs (title)');
  other.close();
  expect(await refusal(folder)).toMatch(/is the database of another program/);
});

test('a database of a newer version is refused with the name of the unknown migration', async () => {
  using folder = temporaryFolder();
  await written(folder);
  const newer = new DatabaseSync(folder.path);
  newer.exec(`INSERT INTO swarmdeck_migrations VALUES ('9999-telepathy', '2031-01-01T00:00:00.000Z')`);
  newer.close();
  expect(await refusal(folder)).toMatch(/written by a newer version of Swarmdeck \(9999-telepathy\)/);
});

test('a folder and an impossible path are refused with a message', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.path, '');
  for (const url of [pathToFileURL('/').href, `${folder.url}/inside-a-file/x.db`]) {
    await expect(openDatabase({ url })).rejects.toThrow(/cannot be (used|read) as the database: /);
  }
});

test('an empty file becomes a database, and an interrupted first start is completed', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.path, '');
  expect(await rowsIn(folder)).toBe(0);
  using cut = temporaryFolder();
  const begun = new DatabaseSync(cut.path);
  begun.exec('PRAGMA journal_mode = WAL');
  begun.close();
  expect(await rowsIn(cut)).toBe(0);
});

test('a file can be opened once at a time, also by another path', async () => {
  using folder = temporaryFolder();
  const first = await openDatabase({ url: folder.url });
  const link = `${folder.path}.link`;
  symlinkSync(folder.path, link);
  const inUse = /is in use: another Swarmdeck server or command has it open/;
  await expect(openDatabase({ url: folder.url })).rejects.toThrow(inUse);
  await expect(openDatabase({ url: pathToFileURL(link).href })).rejects.toThrow(inUse);
  await first.write([insertOf('a')]);
  await first.close();
  const second = await openDatabase({ url: pathToFileURL(link).href });
  expect(await second.read({ sql: 'SELECT name FROM retired_names' })).toEqual([{ name: 'a' }]);
  await second.close();
});

test('a refused file is not locked', async () => {
  using folder = temporaryFolder();
  await written(folder);
  const whole = readFileSync(folder.path);
  writeFileSync(folder.path, 'no database');
  await refusal(folder);
  writeFileSync(folder.path, whole);
  expect(await rowsIn(folder)).toBe(500);
});
