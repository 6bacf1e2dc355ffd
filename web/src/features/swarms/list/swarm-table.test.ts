import { expect, test } from 'vitest';
import { rolesOf, sharesOf } from './swarm-table.tsx';

test('shares are in a fixed order, without empty types, and add up to 1', () => {
  expect(sharesOf({ smartphone: 1, pc: 3, bug: 0 })).toEqual([
    { type: 'pc', share: 0.75 },
    { type: 'smartphone', share: 0.25 },
  ]);
  expect(sharesOf({ pc: 0, bug: 0, smartphone: 0 })).toEqual([]);
});

test('a type with one device in a thousand has a visible share', () => {
  const [pc, bug] = sharesOf({ pc: 1, bug: 999, smartphone: 0 });
  expect(pc?.share).toBeGreaterThan(0.025);
  expect((pc?.share ?? 0) + (bug?.share ?? 0)).toBeCloseTo(1);
});

test('roles without devices are left out', () => {
  expect(rolesOf({ producer: 2, consumer: 0, both: 1 })).toEqual([
    { role: 'producer', count: 2 },
    { role: 'both', count: 1 },
  ]);
});
