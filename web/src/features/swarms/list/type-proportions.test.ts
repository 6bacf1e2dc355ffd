import { expect, test } from 'vitest';
import { rolesOf, sharesOf } from './type-proportions.ts';

test('shares keep their order, leave out what is not there, and fill the bar', () => {
  expect(sharesOf({ smartphone: 1, pc: 3, bug: 0 })).toEqual([
    { type: 'pc', share: 0.75 },
    { type: 'smartphone', share: 0.25 },
  ]);
  expect(sharesOf({ pc: 0, bug: 0, smartphone: 0 })).toEqual([]);
});

test('one in a thousand is still seen', () => {
  const [pc, bug] = sharesOf({ pc: 1, bug: 999, smartphone: 0 });
  expect(pc?.share).toBeGreaterThan(0.025);
  expect((pc?.share ?? 0) + (bug?.share ?? 0)).toBeCloseTo(1);
});

test('roles are those that one has', () => {
  expect(rolesOf({ producer: 2, consumer: 0, both: 1 })).toEqual([
    { role: 'producer', count: 2 },
    { role: 'both', count: 1 },
  ]);
});
