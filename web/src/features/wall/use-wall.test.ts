import { expect, test } from 'vitest';
import { selectNext } from './use-wall.ts';

const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const step = (id: string | null, by: 1 | -1) => selectNext({ items, id, by })?.id;

test('steps wrap around at both ends', () => {
  expect([step('a', 1), step('c', 1), step('b', -1), step('a', -1)]).toEqual(['b', 'a', 'a', 'c']);
});

test('a step without a selection goes to the first or the last', () => {
  expect([step(null, 1), step('gone', -1)]).toEqual(['a', 'c']);
});

test('a step in an empty list selects nothing', () => {
  expect(selectNext({ items: [], id: 'a', by: 1 })).toBeUndefined();
});
