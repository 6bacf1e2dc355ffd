import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createUnsentBytes } from './unsent-bytes.ts';

const most = { user: 100, address: 250, share: 10, part: 20, waiting: 1 };
const ann = { user: 'ann', address: 'a' };
const ben = { user: 'ben', address: 'a' };
const cat = { user: 'cat', address: 'c' };
const anonymous = { user: undefined, address: 'a' };

test('a user has room up to the limit, and for one response of any length', () => {
  const unsent = createUnsentBytes(most);
  expect(unsent.hasRoom(ann, 1000)).toBe(true);
  unsent.change(ann, 60);
  expect([unsent.hasRoom(ann, 40), unsent.hasRoom(ann, 41), unsent.hasRoom(ben, 1000)]).toEqual([true, false, false]);
  expect([unsent.hasRoom(ben, 100), unsent.hasRoom(anonymous, 190), unsent.hasRoom(anonymous, 191)]).toEqual([
    true,
    true,
    false,
  ]);
  unsent.change(ann, -60);
  expect([unsent.hasRoom(ann, 1000), unsent.measure()]).toEqual([true, 0]);
});

test('an address that is full leaves each user a share, and affects no other address', () => {
  const unsent = createUnsentBytes(most);
  unsent.change(ann, 250);
  expect([unsent.hasRoom(ben, 10), unsent.hasRoom(ben, 11), unsent.hasRoom(anonymous, 1)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(unsent.hasRoom(cat, 100)).toBe(true);
});

test('who waits is admitted when a part may be made, in the order of arrival, users by themselves', async () => {
  const unsent = createUnsentBytes(most);
  unsent.change(ann, 90);
  unsent.change(cat, 90);
  const admitted: string[] = [];
  const wait = (holder: typeof ann, name: string) =>
    unsent.enqueue(holder, most.part, () => {
      admitted.push(name);
      unsent.reserve(holder, most.part);
    });
  wait(ann, 'ann 1');
  const leave = wait(ann, 'ann 2');
  wait(ann, 'ann 3');
  wait(cat, 'cat 1');
  unsent.change(cat, -10);
  await setImmediate();
  expect(admitted).toEqual(['cat 1']);
  leave();
  unsent.change(ann, -20);
  await setImmediate();
  expect(admitted).toEqual(['cat 1', 'ann 1']);
  // What is being made refuses nothing else.
  expect([unsent.mayMake(ann, most.part), unsent.hasRoom(ann, most.part), unsent.measure()]).toEqual([
    false,
    true,
    150,
  ]);
  unsent.reserve(ann, -most.part);
  await setImmediate();
  expect(admitted).toEqual(['cat 1', 'ann 1', 'ann 3']);
});
