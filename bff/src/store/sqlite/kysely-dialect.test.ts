import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createStorageBed } from '../store.fixture.ts';
import type { StorageBed } from '../store.fixture.ts';

const signal = () => Promise.withResolvers<void>();
const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

const bed = await createStorageBed();

beforeEach(() => bed.db.write([{ sql: 'DELETE FROM retired_names' }]));
afterAll(() => bed[Symbol.asyncDispose]());

/** `act` inside a transaction, with an insert of Kysely. */
function transaction({ db }: StorageBed, act: (insert: (name: string) => Promise<unknown>) => Promise<unknown>) {
  return db.kysely.transaction().execute((within) => {
    return act((name) => within.insertInto('retired_names').values({ name }).execute());
  });
}

test('reads use a reader connection, and writes use the queue', async () => {
  const { kysely } = bed.db;
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
  expect(await bed.names()).toEqual([]);
});

test('a transaction sees its own writes, which are invisible to others until the commit', async () => {
  await bed.db.kysely.transaction().execute(async (within) => {
    await within.insertInto('retired_names').values({ name: 'a' }).execute();
    expect(await within.selectFrom('retired_names').selectAll().execute()).toEqual([{ name: 'a' }]);
    expect(await bed.names()).toEqual([]);
    expect(await bed.db.read({ sql: 'SELECT * FROM retired_names', isLong: true })).toEqual([]);
  });
  expect(await bed.names()).toEqual(['a']);
});

test('an error in a transaction rolls it back', async () => {
  const failed = transaction(bed, async (insert) => {
    await insert('a');
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await bed.names()).toEqual([]);
  await bed.put('b');
  expect(await bed.names()).toEqual(['b']);
});

test('a transaction locks the writer from its first write on, not before', async () => {
  const wrote = signal();
  const goOn = signal();
  const stepped = transaction(bed, async (insert) => {
    await bed.put('during the thinking');
    await insert('t1');
    wrote.resolve();
    await goOn.promise;
    await insert('t2');
  });
  await wrote.promise;
  const order: string[] = [];
  const others = ['x', 'y'].map((name) => bed.put(name).then(() => order.push(name)));
  const second = transaction(bed, (insert) => insert('z')).then(() => order.push('z'));
  await soon();
  expect(order).toEqual([]);
  expect(await bed.names()).toEqual(['during the thinking']);
  goOn.resolve();
  await Promise.all([stepped, ...others, second]);
  expect(order).toEqual(['x', 'y', 'z']);
  expect(await bed.names()).toEqual(['during the thinking', 't1', 't2', 'x', 'y', 'z']);
});

test('a transaction that takes too long is rolled back, and the next ones continue', async () => {
  await using bed = await createStorageBed({ transactionMs: 50 });
  const wrote = signal();
  const late = signal();
  const forgotten = transaction(bed, async (insert) => {
    await insert('a');
    wrote.resolve();
    await late.promise;
  });
  await wrote.promise;
  await bed.put('b');
  late.resolve();
  await expect(forgotten).rejects.toMatchObject({ kind: 'away', message: expect.stringContaining('took too long') });
  expect(await bed.names()).toEqual(['b']);
});

test('a transaction that a full disk has ended accepts no more writes', async () => {
  await using bed = await createStorageBed();
  // SQLite ends the whole transaction only if the statement has no trigger; with one, it undoes the statement alone
  await bed.db.write([{ sql: 'DROP TRIGGER feed_account_ended' }]);
  const [{ page_count: pages }] = (await bed.db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' })) as [
    { page_count: number },
  ];
  await bed.db.write([{ sql: `PRAGMA max_page_count = ${pages + 2}` }]);
  const stubborn = transaction(bed, async (insert) => {
    await insert('a');
    await expect(insert('x'.repeat(100_000))).rejects.toMatchObject({ kind: 'full' });
    await insert('b').catch(() => {});
  });
  await expect(stubborn).rejects.toMatchObject({ kind: 'away' });
  expect(await bed.names()).toEqual([]);
});

test('a failed commit rolls the transaction back', async () => {
  const failed = bed.db.kysely.transaction().execute(async (within) => {
    await within.insertInto('retired_names').values({ name: 'a' }).execute();
    await sql`PRAGMA defer_foreign_keys = ON`.execute(within);
    const orphan = { swarm_id: 's', resource_id: 'r', resource_type: 'producer' as const, member_since: '' };
    await within.insertInto('memberships').values(orphan).execute();
  });
  await expect(failed).rejects.toMatchObject({ kind: 'constraint' });
  expect(await bed.names()).toEqual([]);
  await bed.put('b');
  expect(await bed.names()).toEqual(['b']);
});

test('statements that are sent concurrently in a transaction are one transaction', async () => {
  await transaction(bed, (insert) => Promise.all(['a', 'b', 'c'].map(insert)));
  expect(await bed.names()).toEqual(['a', 'b', 'c']);
});
