import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestStorage, temporaryFolder } from '../store.fixture.ts';
import { migrations, statementsOf } from '../schema/migrations.ts';
import { backUpFile } from './backup.ts';
import { openDatabase } from './open-database.ts';
import { vacuumFile } from './vacuum.ts';

const megabyte = 1024 * 1024;
/** Of a row. */
const size = 16_000;
const rows = Math.ceil((40 * megabyte) / size);
const fill = `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
  WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${rows})
  SELECT 'm' || n, 's', 'd', '', printf('%.*c', ${size}, 'x'), 0 FROM n`;
const empty = 'DELETE FROM messages WHERE seq > 10';

/** A file as earlier versions have created it. */
function createOld(path: string) {
  const old = new DatabaseSync(path);
  old.exec('PRAGMA journal_mode = WAL');
  for (const migration of migrations) for (const statement of statementsOf('sqlite', migration)) old.exec(statement);
  for (const sql of [fill, empty]) old.exec(sql);
  old.close();
}

test('a new file gives unused space back in slices of 256 pages, except for a reserve', async () => {
  await using context = await createTestStorage();
  const { db } = context;
  for (const sql of [fill, empty]) expect((await db.write([{ sql }])).ok).toBe(true);
  const { bytes, unused, isGivenBack } = (await db.readSpace())!;
  expect([isGivenBack, unused > 40 * megabyte]).toEqual([true, true]);
  expect(await db.giveSpaceBack()).toBe(true);
  expect(unused - (await db.readSpace())!.unused).toBe(megabyte);
  // Writes between two slices.
  expect((await context.put('a')).ok).toBe(true);
  let slices = 1;
  while (await db.giveSpaceBack()) slices += 1;
  const left = (await db.readSpace())!;
  expect(slices).toBeLessThan(45);
  expect(left.unused).toBeLessThanOrEqual(16 * megabyte);
  expect(left.unused).toBeGreaterThan(15 * megabyte);
  expect(bytes - left.bytes).toBeGreaterThan(20 * megabyte);
  expect(await db.giveSpaceBack()).toBe(false);
  expect([await context.names(), await db.read({ sql: 'SELECT count(*) AS count FROM messages' })]).toEqual([
    ['a'],
    [{ count: 10 }],
  ]);
});

test('a file of an earlier version keeps its space until it is vacuumed, and then gives it back', async () => {
  using folder = temporaryFolder();
  const { path, url } = folder;
  createOld(path);
  const old = await openDatabase({ url });
  expect(await old.readSpace()).toMatchObject({ isGivenBack: false });
  expect(await old.giveSpaceBack()).toBe(false);
  expect(() => vacuumFile({ url })).toThrow('is in use: another Swarmdeck server or command has it open');
  await old.close();

  const before = readFileSync(path);
  expect(() => vacuumFile({ url, freeIn: () => 1000 })).toThrow(/^vacuum needs \d MB in .*, which has 1 MB\. Nothing/);
  expect(readFileSync(path).equals(before)).toBe(true);

  const vacuumed = vacuumFile({ url });
  expect(vacuumed).toEqual({ before: before.length, after: statSync(path).size });
  expect([vacuumed.before > 40 * megabyte, vacuumed.after < 2 * megabyte]).toEqual([true, true]);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(dirname(path)).filter((name) => /vacuum|part|-wal/.test(name))).toEqual([]);
  const db = await openDatabase({ url });
  expect(await db.readSpace()).toMatchObject({ isGivenBack: true });
  expect(await db.read({ sql: 'SELECT count(*) AS count FROM messages' })).toEqual([{ count: 10 }]);
  await db.close();

  // Again, and a backup of it.
  vacuumFile({ url });
  using target = temporaryFolder();
  backUpFile({ url, file: target.path });
  const copy = await openDatabase({ url: target.url });
  expect(await copy.readSpace()).toMatchObject({ isGivenBack: true });
  await copy.close();
});

test('a missing file is not vacuumed', () => {
  using folder = temporaryFolder();
  expect(() => vacuumFile({ url: folder.url })).toThrow('ENOENT');
});
