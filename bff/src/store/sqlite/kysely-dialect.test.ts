import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestStorage } from '../store.fixture.ts';
import type { TestStorage } from '../store.fixture.ts';

const signal = () => Promise.withResolvers<void>();
const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

const context = await createTestStorage();

beforeEach(() => context.db.write([{ sql: 'DELETE FROM retired_names' }]));
afterAll(() => context[Symbol.asyncDispose]());

/** `act` inside a transaction, with an insert of Kysely. */
function transaction({ db }: TestStorage, act: (insert: (name: string) => Promise<unknown>) => Promise<unknown>) {
  return db.kysely.transaction().execute((within) => {
    return act((name) => within.insertInto('retired_names').values({ name }).execute());
  });
}

test('reads use a reader connection, and writes use the queue', async () => {
  const { kysely } = context.db;
  await kysely.insertInto('retired_names').values({ name: 'a' }).execute();
  expect(await kysely.selectFrom('retired_names').selectAll().execute()).toEqual([{ name: 'a' }]);
  const { numDeletedRows } = await kysely.deleteFrom('retired_names').executeTakeFirstOrThrow();
  expect(numDeletedRows).toBe(1n);
  await expect(
    kysely
      .insertInto('retired_names')
      .values([{ name: 'b' }, { name: 'b' }])
      .execute(),
  ).rejects.toMatchObject({
    kind: 'constraint',
  });
  expect(await context.names()).toEqual([]);
});

test('a transaction sees its own writes, which are invisible to others until the commit', async () => {
  await context.db.kysely.transaction().execute(async (within) => {
    await within.insertInto('retired_names').values({ name: 'a' }).execute();
    expect(await within.selectFrom('retired_names').selectAll().execute()).toEqual([{ name: 'a' }]);
    expect(await context.names()).toEqual([]);
    expect(await context.db.read({ sql: 'SELECT * FROM retired_names', isLong: true })).toEqual([]);
  });
  expect(await context.names()).toEqual(['a']);
});

test('an error in a transaction rolls it back', async () => {
  const failed = transaction(context, async (insert) => {
    await insert('a');
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await context.names()).toEqual([]);
  await context.put('b');
  expect(await context.names()).toEqual(['b']);
});

test('a transaction locks the writer from its first write on, not before', async () => {
  const wrote = signal();
  const goOn = signal();
  const stepped = transaction(context, async (insert) => {
    await context.put('during the thinking');
    await insert('t1');
    wrote.resolve();
    await goOn.promise;
    await insert('t2');
  });
  await wrote.promise;
  const order: string[] = [];
  const others = ['x', 'y'].map((name) => context.put(name).then(() => order.push(name)));
  const second = transaction(context, (insert) => insert('z')).then(() => order.push('z'));
  await soon();
  expect(order).toEqual([]);
  expect(await context.names()).toEqual(['during the thinking']);
  goOn.resolve();
  await Promise.all([stepped, ...others, second]);
  expect(order).toEqual(['x', 'y', 'z']);
  expect(await context.names()).toEqual(['during the thinking', 't1', 't2', 'x', 'y', 'z']);
});

test('a transaction that takes too long is rolled back, and the next ones continue', async () => {
  await using context = await createTestStorage({ transactionMs: 50 });
  const wrote = signal();
  const late = signal();
  const forgotten = transaction(context, async (insert) => {
    await insert('a');
    wrote.resolve();
    await late.promise;
  });
  await wrote.promise;
  await context.put('b');
  late.resolve();
  await expect(forgotten).rejects.toMatchObject({ kind: 'away', message: expect.stringContaining('took too long') });
  expect(await context.names()).toEqual(['b']);
});

test('a transaction that a full disk has ended accepts no more writes', async () => {
  await using context = await createTestStorage();
  // SQLite ends the whole transaction only if the statement has no trigger; with one, it undoes the statement alone
  await context.db.write([{ sql: 'DROP TRIGGER feed_account_ended' }]);
  const [{ page_count: pages }] = (await context.db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' })) as [
    { page_count: number },
  ];
  await context.db.write([{ sql: `PRAGMA max_page_count = ${pages + 2}` }]);
  const stubborn = transaction(context, async (insert) => {
    await insert('a');
    await expect(insert('x'.repeat(100_000))).rejects.toMatchObject({ kind: 'full' });
    await insert('b').catch(() => {});
  });
  await expect(stubborn).rejects.toMatchObject({ kind: 'away' });
  expect(await context.names()).toEqual([]);
});

test('a failed commit rolls the transaction back', async () => {
  const failed = context.db.kysely.transaction().execute(async (within) => {
    await within.insertInto('retired_names').values({ name: 'a' }).execute();
    await sql`PRAGMA defer_foreign_keys = ON`.execute(within);
    const orphan = { swarm_id: 's', resource_id: 'r', resource_type: 'producer' as const, member_since: '' };
    await within.insertInto('memberships').values(orphan).execute();
  });
  await expect(failed).rejects.toMatchObject({ kind: 'constraint' });
  expect(await context.names()).toEqual([]);
  await context.put('b');
  expect(await context.names()).toEqual(['b']);
});

test('statements that are sent concurrently in a transaction are one transaction', async () => {
  await transaction(context, (insert) => Promise.all(['a', 'b', 'c'].map(insert)));
  expect(await context.names()).toEqual(['a', 'b', 'c']);
});
