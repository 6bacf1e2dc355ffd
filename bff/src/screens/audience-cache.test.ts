import { beforeEach, expect, test } from 'vitest';
import { createAudienceCache } from './audience-cache.ts';

let now = 0;
let audiences: ReturnType<typeof createAudienceCache<{ bytes: number }>>;
beforeEach(() => {
  now = 0;
  audiences = createAudienceCache({ mostBytes: 100, idleMs: 1000, clock: () => now });
});
const take = (key: string, bytes = 10) => audiences.take(key, () => ({ bytes }));

test('a cached audience is created once', () => {
  expect(take('a')).toBe(take('a'));
  expect([...audiences.all()]).toHaveLength(1);
});

test('an idle audience is dropped unless it is watched', () => {
  const [idle, watched] = [take('idle'), take('watched')];
  audiences.watch('watched', true);
  now = 900;
  const asked = take('asked');
  now = 1500;
  audiences.tidy();
  expect([...audiences.all()]).toEqual([watched, asked]);
  expect(take('idle')).not.toBe(idle);
  audiences.watch('watched', false);
  audiences.tidy();
  expect(take('watched')).not.toBe(watched);
});

test('the least recently used audience is evicted, and the last one stays at any size', () => {
  const first = take('a', 60);
  take('b', 60);
  take('a');
  audiences.tidy();
  expect([...audiences.all()]).toEqual([first]);
  const huge = take('c', 1000);
  audiences.tidy();
  expect([...audiences.all()]).toEqual([huge]);
});
