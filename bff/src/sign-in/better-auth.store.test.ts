import { afterAll, beforeAll, expect, test } from 'vitest';
import { betterAuth } from 'better-auth';
import type { Where } from 'better-auth/adapters';
import { openTestDatabase } from '../store/store.fixture.ts';
import { createStoreAdapter } from './better-auth.store.ts';

const database = await openTestDatabase();
const { db } = database;
const { adapter } = await betterAuth({
  secret: 'a secret of the tests, of 32 and more characters',
  baseURL: 'http://localhost',
  database: createStoreAdapter(db),
  telemetry: { enabled: false },
}).$context;

const at = new Date('2026-01-02T03:04:05.678Z');
const userOf = (name: string) => ({
  model: 'user',
  data: { name, email: `${name}@people.invalid`, emailVerified: name > 'b', createdAt: at, updatedAt: at },
});
const byEmail = (name: string): Where[] => [{ field: 'email', value: `${name}@people.invalid` }];
const namesWhere = async (where: Where[]) =>
  (await adapter.findMany<{ name: string }>({ model: 'user', where, sortBy: { field: 'name', direction: 'asc' } })).map(
    ({ name }) => name,
  );

beforeAll(async () => {
  for (const name of ['ann', 'bob', 'cat']) await adapter.create(userOf(name));
});
afterAll(() => database[Symbol.asyncDispose]());

test('a record is read as it was created, with its dates and booleans', async () => {
  const found = await adapter.findOne({ model: 'user', where: byEmail('bob') });
  expect(found).toMatchObject({ name: 'bob', emailVerified: true, createdAt: at, id: expect.any(String) });
  expect(await adapter.findOne({ model: 'user', where: byEmail('nobody') })).toBeNull();
});

test.each<[Where[], string[]]>([
  [[{ field: 'name', value: 'bob' }], ['bob']],
  [[{ field: 'name', value: 'BOB', mode: 'insensitive' }], ['bob']],
  [[{ field: 'name', value: 'bob', operator: 'ne' }], ['ann', 'cat']],
  [[{ field: 'name', value: 'bob', operator: 'gte' }], ['bob', 'cat']],
  [[{ field: 'name', value: 'bob', operator: 'lt' }], ['ann']],
  [[{ field: 'name', value: ['ann', 'cat'], operator: 'in' }], ['ann', 'cat']],
  [[{ field: 'name', value: [], operator: 'in' }], []],
  [[{ field: 'name', value: ['ann', 'cat'], operator: 'not_in' }], ['bob']],
  [[{ field: 'email', value: 'b@p', operator: 'contains' }], ['bob']],
  [[{ field: 'email', value: 'ca', operator: 'starts_with' }], ['cat']],
  [[{ field: 'name', value: 'nn', operator: 'ends_with' }], ['ann']],
  [[{ field: 'image', value: null }], ['ann', 'bob', 'cat']],
  [[{ field: 'image', value: null, operator: 'ne' }], []],
  [[{ field: 'emailVerified', value: true }], ['bob', 'cat']],
  [
    [
      { field: 'name', value: 'ann', connector: 'OR' },
      { field: 'name', value: 'cat', connector: 'OR' },
      { field: 'emailVerified', value: true },
    ],
    ['cat'],
  ],
])('finds the records that match %j', async (where, names) => {
  expect(await namesWhere(where)).toEqual(names);
  expect(await adapter.count({ model: 'user', where })).toBe(names.length);
});

test('a record is updated and deleted, and the number of records is returned', async () => {
  await adapter.create(userOf('dan'));
  await adapter.create(userOf('eve'));
  const updated = await adapter.update({ model: 'user', where: byEmail('dan'), update: { name: 'dora' } });
  expect(updated).toMatchObject({ name: 'dora', email: 'dan@people.invalid' });
  expect(await adapter.update({ model: 'user', where: byEmail('nobody'), update: { name: 'x' } })).toBeNull();
  const late: Where[] = [{ field: 'name', value: 'd', operator: 'gt' }];
  expect(await adapter.updateMany({ model: 'user', where: late, update: { emailVerified: false } })).toBe(2);
  await adapter.delete({ model: 'user', where: byEmail('dan') });
  expect(await adapter.deleteMany({ model: 'user', where: late })).toBe(1);
  expect(await namesWhere([])).toEqual(['ann', 'bob', 'cat']);
});

test('a transaction writes all of its records at its end, and does not lock other writes meanwhile', async () => {
  await adapter.transaction(async (within) => {
    const { id } = await within.create<{ name: string }, { id: string }>(userOf('fay'));
    await within.create({
      model: 'account',
      data: { userId: id, accountId: id, providerId: 'credential', createdAt: at, updatedAt: at },
    });
    await db.write([{ sql: `INSERT INTO retired_names (name) VALUES ('meanwhile')` }]);
    expect(await adapter.findOne({ model: 'user', where: byEmail('fay') })).toBeNull();
  });
  const created = await adapter.findOne<{ id: string }>({ model: 'user', where: byEmail('fay') });
  const owner: Where[] = [{ field: 'userId', value: created!.id }];
  expect(await adapter.count({ model: 'account', where: owner })).toBe(1);
  await adapter.delete({ model: 'user', where: byEmail('fay') });
  expect(await adapter.count({ model: 'account', where: owner })).toBe(0);
});

test('a transaction that fails, in a callback or at its end, writes nothing', async () => {
  const thrown = adapter.transaction(async (within) => {
    await within.create(userOf('gus'));
    throw new Error('changed my mind');
  });
  await expect(thrown).rejects.toThrow('changed my mind');
  const taken = adapter.transaction(async (within) => {
    await within.create(userOf('gus'));
    await within.create(userOf('ann'));
  });
  await expect(taken).rejects.toMatchObject({ name: 'StorageError', kind: 'constraint' });
  expect(await namesWhere([])).toEqual(['ann', 'bob', 'cat']);
});

test('a transaction refuses to change or delete records', async () => {
  const changed = adapter.transaction((within) =>
    within.update({ model: 'user', where: byEmail('ann'), update: { name: 'x' } }),
  );
  await expect(changed).rejects.toThrow('can only create');
  expect(await namesWhere(byEmail('ann'))).toEqual(['ann']);
});
