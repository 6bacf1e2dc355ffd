import { expect, test } from 'vitest';
import { splitForCut } from './truncate-middle.tsx';

test('a long name keeps its end, where names differ', () => {
  const { head, tail } = splitForCut('Lock chamber water level gate, west wall 02');
  expect(tail).toBe('west wall 02');
  expect(head + tail).toBe('Lock chamber water level gate, west wall 02');
});

test('a short name is left whole', () => {
  expect(splitForCut('Harbour hub 12')).toEqual({ head: 'Harbour hub 12', tail: '' });
});

test('a sign made of several code points is never cut in two', () => {
  const family = '👩‍👩‍👧‍👦';
  const { head, tail } = splitForCut(family.repeat(24));
  expect(head).toBe(family.repeat(12));
  expect(tail).toBe(family.repeat(12));
});
