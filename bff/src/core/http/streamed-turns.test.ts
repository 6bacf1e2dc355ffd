import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Context } from 'hono';
import { inFairQueue } from './streamed-body.ts';

/** A chunk that takes all the time of a turn. */
const part = 'x'.repeat(64 * 1024);

test('users take turns in making their lists', async () => {
  /** The users of the parts, in the order in which they are made. */
  const made: string[] = [];
  async function* partsOf(user: string, count: number) {
    for (let number = 0; number < count; number++) {
      made.push(user);
      yield part;
    }
  }
  async function read(user: string, count: number) {
    const parts = inFairQueue({ env: { caller: { userId: user } } } as Context, partsOf(user, count));
    let length = 0;
    for (let next = await parts.next(); !next.done; next = await parts.next()) length += next.value.join('').length;
    return length;
  }
  const many = Array.from({ length: 50 }, () => read('ann', 20));
  await setImmediate();
  const before = made.length;
  expect(await read('bob', 2)).toBe(2 * part.length);
  // Of 1,000: those that run at once, twice.
  expect(made.length - before).toBeLessThan(20);
  expect(new Set(await Promise.all(many))).toEqual(new Set([20 * part.length]));
});

test('a list is not made for a client that has gone', async () => {
  const c = { env: { caller: { userId: 'ann' }, outgoing: { destroyed: true } } } as Context;
  const parts = inFairQueue(
    c,
    (async function* () {
      expect.unreachable();
      yield part;
    })(),
  );
  await expect(parts.next()).rejects.toMatchObject({ code: 'request.aborted' });
});
