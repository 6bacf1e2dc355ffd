import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { commitsOnDisk, createTestStorage, insertOf, type TestStorage } from '../store.fixture.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => `n${String(index).padStart(4, '0')}`);
const away = { kind: 'away' };
// A busy machine may take long for a batch.
const context = await createTestStorage({ batchMs: Number.POSITIVE_INFINITY });

beforeEach(() => context.db.write([{ sql: 'DELETE FROM retired_names' }]));
afterAll(() => context[Symbol.asyncDispose]());

/** Commits that `act` makes. */
async function commitsOf({ db, path }: TestStorage, act: () => Promise<unknown>): Promise<number> {
  // the log begins with the first write
  await db.write([insertOf('first')]);
  const before = commitsOnDisk(path);
  await act();
  return commitsOnDisk(path) - before;
}

test('writes of one event loop turn share a commit', async () => {
  expect(await commitsOf(context, () => Promise.all(range(200).map((name) => context.put(name))))).toBe(1);
  expect(await context.names()).toHaveLength(201);
});

test('writes that arrive during a commit share the next commit', async () => {
  await using context = await createTestStorage({ commitDelay: 100, batchMs: Number.POSITIVE_INFINITY });
  const commits = await commitsOf(context, async () => {
    const early = context.put('early');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all([early, ...range(50).map((name) => context.put(name))]);
  });
  expect(commits).toBe(2);
});

test('sequential writes have a commit each, without delay', async () => {
  vi.useFakeTimers();
  try {
    const commits = await commitsOf(context, async () => {
      for (const name of range(10)) await context.put(name);
    });
    expect(commits).toBe(10);
  } finally {
    vi.useRealTimers();
  }
});

test('a batch that has no time left ends, and the next one begins with another user', async () => {
  await using context = await createTestStorage({ batchMs: 0 });
  const order: string[] = [];
  const putBy = async (user: string, name: string) => {
    await context.db.write([{ ...insertOf(name), user }]);
    order.push(user);
  };
  const commits = await commitsOf(context, () =>
    Promise.all([...range(10).map((name) => putBy('ann', name)), putBy('ben', 'b'), putBy('cleo', 'c')]),
  );
  expect(commits).toBe(12);
  expect(order.slice(0, 3)).toEqual(['ann', 'ben', 'cleo']);
  expect(await context.names()).toHaveLength(13);
});

test('a failed write does not affect other writes of the commit', async () => {
  const commits = await commitsOf(context, async () => {
    const written = await Promise.allSettled([
      context.put('a'),
      context.put('b', 'a'),
      context.db.write([{ sql: 'INSERT INTO no_such_table VALUES (1)' }]),
      context.put('c'),
    ]);
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(written[1]).toMatchObject({ reason: { name: 'StorageError', kind: 'constraint' } });
    expect(written[2]).toMatchObject({ reason: { name: 'StorageError', kind: 'unexpected' } });
  });
  expect(commits).toBe(1);
  expect(await context.names()).toEqual(['a', 'c', 'first']);
});

test('a failed expectation rolls back its own write, which says which one it was', async () => {
  const [alone, neighbour] = await Promise.all([
    context.db.write([
      insertOf('a'),
      { sql: `DELETE FROM retired_names WHERE name = 'nobody'`, orFail: 'nobody' },
      insertOf('b'),
    ]),
    context.put('c'),
  ]);
  expect(alone).toEqual({ ok: false, failed: 'nobody' });
  expect(neighbour).toEqual({ ok: true, rows: [] });
  expect(await context.names()).toEqual(['c']);
});

test('a write returns the rows of the statement that is its result', async () => {
  const returning = {
    sql: 'INSERT INTO retired_names VALUES ($1) RETURNING name',
    params: ['b'],
    isResult: true as const,
  };
  expect(await context.db.write([insertOf('a'), returning, insertOf('c')])).toEqual({
    ok: true,
    rows: [{ name: 'b' }],
  });
});

test('a failed commit rolls back its batch, and the next batch is committed', async () => {
  const orphan = [
    { sql: 'PRAGMA defer_foreign_keys = ON' },
    {
      sql: 'INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ($1, $2, $3, $4)',
      params: ['no swarm', 'no resource', 'producer', ''],
    },
  ];
  const written = await Promise.allSettled([context.put('a'), context.db.write(orphan), context.put('b')]);
  expect(written).toMatchObject([{ reason: away }, { reason: away }, { reason: away }]);
  expect(await context.names()).toEqual([]);
  await context.put('c');
  expect(await context.names()).toEqual(['c']);
});

test('a full disk rolls back the batch, and small writes continue', async () => {
  await using context = await createTestStorage();
  // SQLite ends the whole transaction only if the statement has no trigger; with one, it undoes the statement alone
  await context.db.write([{ sql: 'DROP TRIGGER account_ended' }]);
  const [{ page_count: pages }] = (await context.db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' })) as [
    { page_count: number },
  ];
  await context.db.write([{ sql: `PRAGMA max_page_count = ${pages + 2}` }]);
  const full = { reason: { name: 'StorageError', kind: 'full' } };
  const written = await Promise.allSettled([context.put('a'), context.put('x'.repeat(100_000)), context.put('b')]);
  expect(written).toMatchObject([full, full, full]);
  expect(await context.names()).toEqual([]);
  await context.put('c');
  expect(await context.names()).toEqual(['c']);
});

test('a statement that a full disk ends does not affect other writes of the commit', async () => {
  await using context = await createTestStorage();
  const [{ page_count: pages }] = (await context.db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' })) as [
    { page_count: number },
  ];
  await context.db.write([{ sql: `PRAGMA max_page_count = ${pages + 2}` }]);
  const full = { reason: { name: 'StorageError', kind: 'full' } };
  const written = await Promise.allSettled([context.put('a'), context.put('x'.repeat(100_000)), context.put('b')]);
  expect(written).toMatchObject([{ value: { ok: true } }, full, { value: { ok: true } }]);
  expect(await context.names()).toEqual(['a', 'b']);
});

test('writes fail as away and reads continue while another program locks the file', async () => {
  await using context = await createTestStorage();
  await context.db.write([{ sql: 'PRAGMA busy_timeout = 20' }]);
  await context.put('a');
  const other = new DatabaseSync(context.path);
  other.exec('BEGIN IMMEDIATE');
  const written = await Promise.allSettled([context.put('b'), context.put('c')]);
  expect(written).toMatchObject([{ reason: away }, { reason: away }]);
  expect(await context.names()).toEqual(['a']);
  other.exec('ROLLBACK');
  other.close();
  await context.put('d');
  expect(await context.names()).toEqual(['a', 'd']);
});

test('values that cannot be cloned to the thread are refused, without affecting other writes', async () => {
  const uncloneable = (() => {}) as never;
  await expect(context.db.read({ sql: 'SELECT $1 AS x', params: [uncloneable], isLong: true })).rejects.toThrow(
    'could not be cloned',
  );
  expect(await context.db.read({ sql: 'SELECT 1 AS x', isLong: true })).toEqual([{ x: 1 }]);
  await expect(context.db.write([{ sql: 'SELECT $1', params: [uncloneable] }])).rejects.toThrow('could not be cloned');
  expect(await context.put('a')).toEqual({ ok: true, rows: [] });
});
