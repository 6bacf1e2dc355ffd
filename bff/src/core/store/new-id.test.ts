import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIdSource } from './new-id.ts';

/** Ids whose first 13 characters, the time, are these. */
const at = (times: readonly string[]) => {
  const next = times.values();
  return () => next.next().value! + randomUUIDv7().slice(13);
};

test('the ids of one millisecond are valid, unique and in the order of their creation', () => {
  const newId = createIdSource(at(Array<string>(4096).fill('019b7c35-0c00')));
  const ids = Array.from({ length: 4096 }, newId);
  expect(new Set(ids).size).toBe(4096);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^019b7c35-0c00-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids are in order when the clock is set back', () => {
  const newId = createIdSource(at(['019b7c35-0c00', '019b7c35-0b00', '019b7c35-0c01']));
  const ids = Array.from({ length: 3 }, newId);
  expect(ids.toSorted()).toEqual(ids);
});

test('without a source, an id has the time of its creation', () => {
  const before = Date.now();
  const time = Number.parseInt(createIdSource()().slice(0, 13).replace('-', ''), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});
