import { beforeEach, expect, test } from 'vitest';
import { createIndexCache } from './index-queries.ts';

let now = 0;
let indexes: ReturnType<typeof createIndexCache<{ bytes: number }>>;
beforeEach(() => {
  now = 0;
  indexes = createIndexCache({ mostBytes: 100, idleMs: 1000, clock: () => now });
});
const take = (key: string, bytes = 10) => indexes.take(key, () => ({ bytes }));

test('a cached index is created once', () => {
  expect(take('a')).toBe(take('a'));
  expect([...indexes.all()]).toHaveLength(1);
});

test('an idle index is dropped unless it is watched', () => {
  const [idle, watched] = [take('idle'), take('watched')];
  indexes.watch('watched', true);
  now = 900;
  const asked = take('asked');
  now = 1500;
  indexes.tidy();
  expect([...indexes.all()]).toEqual([watched, asked]);
  expect(take('idle')).not.toBe(idle);
  indexes.watch('watched', false);
  indexes.tidy();
  expect(take('watched')).not.toBe(watched);
});

test('the least recently used index is evicted, and the last one stays at any size', () => {
  const first = take('a', 60);
  take('b', 60);
  take('a');
  indexes.tidy();
  expect([...indexes.all()]).toEqual([first]);
  const huge = take('c', 1000);
  indexes.tidy();
  expect([...indexes.all()]).toEqual([huge]);
});
