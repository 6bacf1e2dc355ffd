import { expect, test } from 'vitest';
import { isKey, newKey } from './key-text.ts';

test('a new key has its form, and each character is as frequent as another', () => {
  const keys = Array.from({ length: 2000 }, newKey);
  expect(keys.filter((key) => !isKey(key))).toEqual([]);
  const counts = new Map<string, number>();
  for (const character of keys.flatMap((key) => key.slice(4, 34).split('')))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  // 968 of each are expected, with a standard deviation of 31: eight of them are never reached by chance.
  expect(counts.size).toBe(62);
  expect([...counts.values()].filter((count) => Math.abs(count - 968) > 250)).toEqual([]);
});
