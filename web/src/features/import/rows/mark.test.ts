import { expect, test } from 'vitest';
import { createMark } from './mark.ts';

test('it stands before the first row that has not ended', () => {
  const mark = createMark(2);
  for (const line of [2, 3, 5, 6]) mark.begin(line);
  mark.end(3);
  expect(mark.before()).toBe(2);
  mark.end(2);
  expect(mark.before()).toBe(4);
  mark.end(6);
  expect(mark.before()).toBe(4);
  mark.end(5);
  expect(mark.before()).toBe(7);
});

test('it comes to the end of very many rows, eight of which are always under way', () => {
  const mark = createMark(2);
  const waiting: number[] = [];
  for (let line = 2; line < 10_002; line += 1) {
    mark.begin(line);
    waiting.push(line);
    if (waiting.length === 8) mark.end(waiting.splice((line * 7) % 8, 1)[0]!);
  }
  expect(mark.before()).toBeGreaterThan(9_000);
  for (const line of waiting) mark.end(line);
  expect(mark.before()).toBe(10_002);
});
