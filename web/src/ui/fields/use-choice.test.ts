import { expect, test } from 'vitest';
import { entered, noChoice, chosenIndex, stepped } from './use-choice.ts';

const ids = ['a', 'b', 'c', 'd'];
const fresh = noChoice('green');

test('the first item is selected by default', () => {
  expect(chosenIndex({ choice: fresh, ids })).toBe(0);
  expect(chosenIndex({ choice: fresh, ids: [] })).toBe(0);
});

test('the selected item stays selected when items arrive before it; if it disappears, the first item is selected', () => {
  const choice = stepped({ choice: fresh, ids, by: 1 });
  expect(chosenIndex({ choice, ids: ['x', 'y', 'b'] })).toBe(2);
  expect(chosenIndex({ choice, ids: ['x', 'y'] })).toBe(0);
});

test('single steps wrap around, page steps stop at the ends', () => {
  const last = stepped({ choice: fresh, ids, by: -1 });
  expect(last.id).toBe('d');
  expect(stepped({ choice: last, ids, by: 1 }).id).toBe('a');
  expect(stepped({ choice: last, ids, by: 5 }).id).toBe('d');
  expect(stepped({ choice: last, ids, by: -5 }).id).toBe('a');
});

test('a step in an empty list selects nothing', () => {
  expect(stepped({ choice: fresh, ids: [], by: 1 }).id).toBeNull();
});

test('Enter waits for the results unless the user has selected an item', () => {
  expect(entered({ choice: fresh, settled: false })).toBe('wait');
  expect(entered({ choice: fresh, settled: true })).toBe('choose');
  expect(entered({ choice: stepped({ choice: fresh, ids, by: 1 }), settled: false })).toBe('choose');
});

test('without a first item, a step leads to the first or the last one', () => {
  expect(chosenIndex({ choice: fresh, ids, first: -1 })).toBe(-1);
  expect(stepped({ choice: fresh, ids, first: -1, by: 1 }).id).toBe('a');
  expect(stepped({ choice: fresh, ids, first: -1, by: -1 }).id).toBe('d');
});
