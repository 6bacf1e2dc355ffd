import { expect, it } from 'vitest';
import { createIdempotencyKey } from './idempotency-key.ts';

it('returns the same key for the same body, and a new key for another body', () => {
  let made = 0;
  const keyFor = createIdempotencyKey(() => `key ${(made += 1)}`);
  expect([keyFor({ name: 'a' }), keyFor({ name: 'a' }), keyFor({ name: 'b' }), keyFor({ name: 'a' })]).toEqual([
    'key 1',
    'key 1',
    'key 2',
    'key 3',
  ]);
});

it('is random by default', () => {
  expect(createIdempotencyKey()({})).not.toBe(createIdempotencyKey()({}));
});
