import { beforeEach, expect, test } from 'vitest';
import { createShelf } from './shelf.ts';
import type { Shelf } from './shelf.ts';

let now = 0;
let shelf: Shelf<{ size: number }>;
beforeEach(() => {
  now = 0;
  shelf = createShelf({ most: 100, idleMs: 1000, clock: () => now });
});
const take = (key: string, size = 10) => shelf.take(key, () => ({ size }));

test('what is kept is made once', () => {
  expect(take('a')).toBe(take('a'));
  expect([...shelf.all()]).toHaveLength(1);
});

test('what nobody looks at is dropped after a while, and what somebody watches is not', () => {
  const [idle, watched] = [take('idle'), take('watched')];
  shelf.watch('watched', true);
  now = 900;
  const asked = take('asked');
  now = 1500;
  shelf.tidy();
  expect([...shelf.all()]).toEqual([watched, asked]);
  expect(take('idle')).not.toBe(idle);
  shelf.watch('watched', false);
  shelf.tidy();
  expect(take('watched')).not.toBe(watched);
});

test('of too much the least recently asked goes, and the last one stays however large it is', () => {
  const first = take('a', 60);
  take('b', 60);
  take('a');
  shelf.tidy();
  expect([...shelf.all()]).toEqual([first]);
  const huge = take('c', 1000);
  shelf.tidy();
  expect([...shelf.all()]).toEqual([huge]);
});
