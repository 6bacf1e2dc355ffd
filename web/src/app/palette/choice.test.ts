import { expect, test } from 'vitest';
import { entered, noChoice, chosenIndex, stepped } from './choice.ts';

const ids = ['a', 'b', 'c', 'd'];
const fresh = noChoice('green');

test('the first one is chosen until somebody moves', () => {
  expect(chosenIndex({ choice: fresh, ids })).toBe(0);
  expect(chosenIndex({ choice: fresh, ids: [] })).toBe(0);
});

test('what was chosen stays chosen when something arrives before it, and goes back to the first when it is gone', () => {
  const choice = stepped({ choice: fresh, ids, by: 1 });
  expect(chosenIndex({ choice, ids: ['x', 'y', 'b'] })).toBe(2);
  expect(chosenIndex({ choice, ids: ['x', 'y'] })).toBe(0);
});

test('single steps go round, pages stop at the ends', () => {
  const last = stepped({ choice: fresh, ids, by: -1 });
  expect(last.id).toBe('d');
  expect(stepped({ choice: last, ids, by: 1 }).id).toBe('a');
  expect(stepped({ choice: last, ids, by: 5 }).id).toBe('d');
  expect(stepped({ choice: last, ids, by: -5 }).id).toBe('a');
});

test('a step among nothing chooses nothing', () => {
  expect(stepped({ choice: fresh, ids: [], by: 1 }).id).toBeNull();
});

test('Enter waits for the answer, unless somebody has chosen already', () => {
  expect(entered({ choice: fresh, settled: false })).toBe('wait');
  expect(entered({ choice: fresh, settled: true })).toBe('choose');
  expect(entered({ choice: stepped({ choice: fresh, ids, by: 1 }), settled: false })).toBe('choose');
});
