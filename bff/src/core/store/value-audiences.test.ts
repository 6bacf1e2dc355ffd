import { expect, test } from 'vitest';
import { newestOf } from './last-values.ts';
import { readAudiences, writeAudiences } from './value-audiences.ts';

test('sets have the numbers that they were stored with', () => {
  const audiences = readAudiences('[]');
  expect(audiences).toEqual({ next: 1, sets: new Map() });
  audiences.sets.set(7, { swarms: ['a', 'b'], hour: 490_000 });
  audiences.next = 9;
  expect(readAudiences(writeAudiences(audiences))).toEqual(audiences);
});

test('rows of the version before are read', () => {
  const audiences = '[["a"],["a","b"]]';
  expect(readAudiences(audiences)).toEqual({
    next: 3,
    sets: new Map([
      [1, { swarms: ['a'], hour: 0 }],
      [2, { swarms: ['a', 'b'], hour: 0 }],
    ]),
  });
  const last = '[[1,[["t",[1000,21]]]],[2,[["t",[2000,22]]]],[0,[["t",[3000,23]]]]]';
  const since = (swarms: readonly string[]) => (swarms.includes('b') ? 0 : Infinity);
  expect(newestOf({ last, audiences }, { keys: ['t'], since })).toEqual(new Map([['t', { number: [2000, 22] }]]));
});
