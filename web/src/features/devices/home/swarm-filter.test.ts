import { expect, test } from 'vitest';
import { findSwarms } from './swarm-filter.tsx';

test('swarms are found by a part of their name, those with most devices first', () => {
  const swarms = ['Harbour', 'Coast', 'Old harbour'].map((name, count) => ({ id: name, name, count }));
  expect(findSwarms(swarms, ' HARB').map(({ name }) => name)).toEqual(['Old harbour', 'Harbour']);
  expect(findSwarms(swarms, '')).toHaveLength(3);
  expect(findSwarms(swarms, 'none')).toEqual([]);
});
