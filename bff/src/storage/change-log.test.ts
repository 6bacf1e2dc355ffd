import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Change } from './change-log.ts';
import type { Value } from './statement.ts';
import { createStorageBed } from './storage.fixture.ts';

const bed = await createStorageBed();
const { db } = bed;
let told: Change[] = [];
const unwatch = db.watch((changes) => told.push(...changes));
beforeEach(async () => {
  await db.write([{ sql: 'DELETE FROM swarms' }, { sql: 'DELETE FROM resources' }]);
  await write(addResource('r1', 'ann'), addResource('r2', 'bob'), addSwarm('s1', 'ann'));
  told = [];
});
afterAll(async () => {
  unwatch();
  await bed[Symbol.asyncDispose]();
});

const at = '2026-03-04T12:00:00.000Z';
type Written = [sql: string, ...params: Value[]];
const addResource = (id: string, user: string): Written => [
  `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
   VALUES (?1, ?2, ?1, 'pc', ?3, ?3, 1, ?1, ?1)`,
  ...[id, user, at],
];
const addSwarm = (id: string, user: string): Written => [
  `INSERT INTO swarms VALUES (?, ?, 's', '', 0, ?, 1)`,
  ...[id, user, at],
];
const addMember = (swarm: string, id: string): Written => [
  `INSERT INTO memberships VALUES (?, ?, 'both', ?)`,
  ...[swarm, id, at],
];
const write = (...all: Written[]) => db.write(all.map(([sql, ...params]) => ({ sql, params })));
const rowOf = (id: string) => db.get<{ row: number }>('SELECT ref AS row FROM resources WHERE id = ?', id)!.row;

test('a resource is told when it is made, changed and destroyed', async () => {
  await write(addResource('r3', 'cat'));
  const resource = rowOf('r3');
  await write(['UPDATE resources SET name = ? WHERE id = ?', 'new', 'r3']);
  await write(['DELETE FROM resources WHERE id = ?', 'r3']);
  const change = { resource, user: 'cat' };
  expect(told).toEqual([change, change, change]);
});

test('a member is told with its swarm, and a user who comes to see the members with it', async () => {
  await write(addMember('s1', 'r1'), addMember('s1', 'r2'));
  const [own, other] = [rowOf('r1'), rowOf('r2')].map((resource) => ({ resource, swarm: 's1' }));
  expect(told).toHaveLength(3);
  expect(told).toEqual(expect.arrayContaining([own, other, { user: 'bob', swarm: 's1' }]));
  told = [];
  await write([`UPDATE memberships SET resource_type = 'producer' WHERE resource_id = ?`, 'r1']);
  expect(told).toEqual([own]);
});

test('what goes by a cascade is told, of a resource and of a swarm alike', async () => {
  await write(addMember('s1', 'r1'), addMember('s1', 'r2'));
  const [own, other] = [rowOf('r1'), rowOf('r2')];
  told = [];
  await write(['DELETE FROM resources WHERE id = ?', 'r2']);
  expect(told).toHaveLength(3);
  const gone = [
    { resource: other, swarm: 's1' },
    { user: 'bob', swarm: 's1' },
    { resource: other, user: 'bob' },
  ];
  expect(told).toEqual(expect.arrayContaining(gone));
  told = [];
  await write(['DELETE FROM swarms WHERE id = ?', 's1']);
  expect(told).toEqual(
    expect.arrayContaining([
      { resource: own, swarm: 's1' },
      { user: 'ann', swarm: 's1' },
    ]),
  );
});

test('what was undone is not told, and its neighbours in the commit are', async () => {
  const results = await Promise.allSettled([
    write(addResource('r3', 'cat'), ['INSERT INTO no_such_table VALUES (1)']),
    write(addResource('r4', 'cat')),
    db.write([{ sql: 'DELETE FROM resources' }, { sql: 'SELECT 1 WHERE false', expect: 'row' }]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(told).toEqual([{ resource: rowOf('r4'), user: 'cat' }]);
  const undone = db.kysely.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('resources').execute();
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(told).toHaveLength(1);
  await db.kysely.transaction().execute((transaction) => transaction.deleteFrom('resources').execute());
  expect(told.length).toBeGreaterThan(1);
});

test('whoever wrote it hears of it after those who watch', async () => {
  const order: string[] = [];
  const end = db.watch(() => order.push('watcher'));
  await write(addResource('r5', 'cat')).then(() => order.push('writer'));
  end();
  await write(addResource('r6', 'cat')).then(() => order.push('writer'));
  expect(order).toEqual(['watcher', 'writer', 'writer']);
});

test('very much at once is told as everything, and what comes after it one by one', async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => addResource(`m${index}`, 'cat'));
  await write(...many);
  expect(told).toEqual([{ everything: true }]);
  await write(['DELETE FROM resources WHERE user_id = ?', 'cat']);
  told = [];
  await write(addResource('r7', 'cat'));
  expect(told).toEqual([{ resource: rowOf('r7'), user: 'cat' }]);
});
