import { expect, test } from 'vitest';
import { nameError } from './text-errors.ts';

test('the error of a name says what is wrong with it', () => {
  expect(nameError('Harbour', 20)).toBeUndefined();
  expect(nameError('', 20)).toBe('Enter a name.');
  expect(nameError('\u200b', 20)).toBe('A name needs at least one visible character.');
  expect(nameError('Harbour\u0007', 20)).toBe('Remove the control characters.');
  expect(nameError('🦫'.repeat(20), 20)).toBeUndefined();
  expect(nameError('🦫'.repeat(21), 20)).toBe('At most 20 characters.');
});
