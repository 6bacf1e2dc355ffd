import { expect, test } from 'vitest';
import { stepFrom } from './cycle-selection.ts';

const things = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const step = (id: string | null, by: 1 | -1) => stepFrom({ things, id, by })?.id;

test('one steps round and round', () => {
  expect([step('a', 1), step('c', 1), step('b', -1), step('a', -1)]).toEqual(['b', 'a', 'a', 'c']);
});

test('from outside one begins at the first, or at the last', () => {
  expect([step(null, 1), step('gone', -1)]).toEqual(['a', 'c']);
});

test('there is nowhere to step to where nothing is', () => {
  expect(stepFrom({ things: [], id: 'a', by: 1 })).toBeUndefined();
});
