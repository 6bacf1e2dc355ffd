import { expect, test, vi } from 'vitest';
import { openDatabase } from './open-database.ts';
import { createTestStorage, temporaryFolder } from '../store.fixture.ts';

const away = { name: 'StorageError', kind: 'away' };
/** Counts to `?`: work for the database alone. */
const counting =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) SELECT max(i) AS top FROM n';

test('an acknowledged write is visible to every reader immediately', async () => {
  await using context = await createTestStorage();
  await context.put('a');
  expect(await context.db.read({ sql: 'SELECT name FROM retired_names' })).toEqual([{ name: 'a' }]);
  expect(await context.db.read({ sql: 'SELECT name FROM retired_names', isLong: true })).toEqual([{ name: 'a' }]);
});

test('readers cannot write, and an invalid statement is not reported as unavailable storage', async () => {
  await using context = await createTestStorage();
  const { db } = context;
  await expect(db.read({ sql: `INSERT INTO retired_names VALUES ('a')`, isLong: true })).rejects.toMatchObject(away);
  await expect(db.read({ sql: `INSERT INTO retired_names VALUES ('a')` })).rejects.toMatchObject(away);
  const unexpected = { name: 'StorageError', kind: 'unexpected', message: 'no such table: nowhere' };
  await expect(db.read({ sql: 'SELECT x FROM nowhere' })).rejects.toMatchObject(unexpected);
  await expect(db.read({ sql: 'SELECT x FROM nowhere', isLong: true })).rejects.toMatchObject(unexpected);
  await expect(db.write([{ sql: 'SELECT x FROM nowhere' }])).rejects.toMatchObject(unexpected);
  expect(await db.read({ sql: 'SELECT $1 AS given', params: ['x'], isLong: true })).toEqual([{ given: 'x' }]);
  expect(await context.names()).toEqual([]);
});

test('the thread for long reads starts with the first of them, and not after the end', async () => {
  using folder = temporaryFolder();
  let started = 0;
  const note = () => void (started += 1);
  process.on('worker', note);
  try {
    for (const reads of [0, 2]) {
      const db = await openDatabase({ url: folder.url });
      await db.read({ sql: 'SELECT 1' });
      expect(db.alive).toBe(true);
      for (let read = 0; read < reads; read += 1) await db.read({ sql: 'SELECT 1', isLong: true });
      await db.close();
      expect(db.alive).toBe(false);
      await expect(db.read({ sql: 'SELECT 1', isLong: true })).rejects.toMatchObject(away);
    }
    // Each time the writer, and once the reader.
    expect(started).toBe(3);
  } finally {
    process.off('worker', note);
  }
});

test('a long query leaves the event loop free', async () => {
  await using context = await createTestStorage();
  const order: string[] = [];
  setImmediate(() => order.push('a turn of the loop'));
  expect(await context.db.read({ sql: counting, params: [300_000], isLong: true })).toEqual([{ top: 300_000 }]);
  order.push('the answer');
  expect(order).toEqual(['a turn of the loop', 'the answer']);
});

test('closing waits for running writes, and accepts no new ones', async () => {
  using folder = temporaryFolder();
  const db = await openDatabase({ url: folder.url, commitDelay: 50 });
  const insert = (name: string) => db.write([{ sql: 'INSERT INTO retired_names VALUES ($1)', params: [name] }]);
  const before = [insert('a'), insert('b')];
  const closed = db.close();
  await expect(insert('c')).rejects.toMatchObject(away);
  await Promise.all([...before, closed, db.close()]);

  expect(db.alive).toBe(false);
  await expect(insert('d')).rejects.toMatchObject(away);
  await expect(db.read({ sql: 'SELECT 1', isLong: true })).rejects.toMatchObject(away);
  await expect(db.read({ sql: 'SELECT 1' })).rejects.toMatchObject(away);

  const again = await openDatabase({ url: folder.url });
  const names = await again.read<{ name: string }>({ sql: 'SELECT name FROM retired_names ORDER BY name' });
  expect(names.map(({ name }) => name)).toEqual(['a', 'b']);
  await again.close();
});

test('closing settles every query', async () => {
  using folder = temporaryFolder();
  const db = await openDatabase({ url: folder.url });
  const asked = [
    db.read({ sql: counting, params: [300_000], isLong: true }),
    db.read({ sql: counting, params: [1], isLong: true }),
  ].map((query) => query.catch((error: unknown) => error));
  await db.close();
  const [first, second] = await Promise.all(asked);
  expect([expect.objectContaining(away), [{ top: 300_000 }]]).toContainEqual(first);
  expect([expect.objectContaining(away), [{ top: 1 }]]).toContainEqual(second);
});

test('if the writer dies during a commit, pending writes fail as away, reads continue, and a new writer starts', async () => {
  const reported: unknown[] = [];
  await using context = await createTestStorage({ commitDelay: 3000, report: (error) => reported.push(error) });
  const { db, threads } = context;
  let notified = 0;
  db.onCommit(async () => void (notified += 1));
  const waiting = [context.put('a'), context.put('b')];
  const answers = Promise.allSettled(waiting);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await threads.writer.terminate();
  expect(await answers).toMatchObject([{ reason: away }, { reason: away }]);
  // its last commit may be on disk
  expect(notified).toBe(1);
  expect(reported).toMatchObject([{ ...away, message: 'the storage thread has ended: it was terminated' }]);
  expect(await context.names()).toEqual([]);
  await vi.waitFor(() => expect(db.alive).toBe(true));
  await context.put('c');
  expect(await context.names()).toEqual(['c']);
  const { commits, threadRestarts } = db.measure();
  expect(threadRestarts).toEqual({ writer: 1, reader: 0 });
  expect(commits.failed).toEqual({ constraint: 0, full: 0, away: 1, unexpected: 0 });
  expect(commits.writes).toMatchObject({ sum: 1, counts: [1, ...commits.writes.bounds.map(() => 0)] });
});

test('the newest entry of the feed is known after each commit, unless its outcome is not', async () => {
  await using context = await createTestStorage({ report: () => {} });
  const { db, threads } = context;
  const newest = async () => (await db.read<{ seq: number }>({ sql: 'SELECT max(seq) AS seq FROM feed' }))[0]!.seq;
  expect(db.newestEntry()).toBeUndefined();
  const insert = `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ($1, 'ann', 'Ring', '', 0, '2026-01-01', 1)`;
  await db.write([{ sql: insert, params: ['s'] }]);
  const first = db.newestEntry();
  expect(first).toBe(await newest());
  await db.write([{ sql: 'SELECT 1' }]);
  expect(db.newestEntry()).toBe(first);
  await db.write([{ sql: insert, params: ['t'] }]);
  expect(db.newestEntry()).toBe(await newest());
  await threads.writer.terminate();
  await vi.waitFor(() => expect(db.newestEntry()).toBeUndefined());
  await vi.waitFor(() => expect(db.alive).toBe(true));
  await context.put('b');
  expect(db.newestEntry()).toBe(await newest());
});

test('if the reader thread dies, its queries fail as away, and a new one starts', async () => {
  const reported: unknown[] = [];
  await using context = await createTestStorage({ report: (error) => reported.push(error) });
  const asked = context.db.read({ sql: counting, params: [100_000_000], isLong: true });
  context.threads.reader.terminate().catch(() => {});
  await expect(asked).rejects.toMatchObject(away);
  expect(reported).toMatchObject([away]);
  await vi.waitFor(() => expect(context.db.alive).toBe(true));
  expect(await context.db.read({ sql: 'SELECT 1 AS x', isLong: true })).toEqual([{ x: 1 }]);
});

test('a subscriber that throws after a commit fails neither the write nor the other subscribers', async () => {
  const reported: unknown[] = [];
  await using context = await createTestStorage({ report: (error) => reported.push(error) });
  const fault = new Error('a subscriber that throws');
  let notified = 0;
  context.db.onCommit(() => {
    throw fault;
  });
  context.db.onCommit(async () => void (notified += 1));
  const insert = `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ('s', 'ann', 'Ring', '', 0, '2026-01-01', 1)`;
  expect(await context.db.write([{ sql: insert }])).toMatchObject({ ok: true });
  expect(notified).toBe(1);
  expect(reported).toEqual([fault]);
});

test('the writer syncs each commit before it is acknowledged, and checks foreign keys', async () => {
  await using context = await createTestStorage();
  const read = (name: string) => context.db.write([{ sql: `PRAGMA ${name}`, isResult: true }]);
  // 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
  expect(await read('synchronous')).toEqual({ ok: true, rows: [{ synchronous: 2 }] });
  expect(await read('journal_mode')).toEqual({ ok: true, rows: [{ journal_mode: 'wal' }] });
  expect(await read('foreign_keys')).toEqual({ ok: true, rows: [{ foreign_keys: 1 }] });
});
