import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOneAtATime } from './one-at-a-time.ts';

test('the work of a key runs one after the other, also after a failure, and other keys do not wait', async () => {
  const inTurn = createOneAtATime();
  const began: string[] = [];
  const { promise, reject } = Promise.withResolvers<void>();
  const first = inTurn('ann', async () => {
    began.push('ann 1');
    await promise;
  });
  const second = inTurn('ann', async () => began.push('ann 2'));
  await inTurn('bob', async () => began.push('bob'));
  await setImmediate();
  expect(began).toEqual(['ann 1', 'bob']);
  reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(began).toEqual(['ann 1', 'bob', 'ann 2']);
  await inTurn('ann', async () => began.push('ann 3'));
  expect(began.at(-1)).toBe('ann 3');
});
