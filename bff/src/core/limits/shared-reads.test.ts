import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

/** Reads that the test answers. The value of a key is the key itself, unless it begins with `no`. */
function setUp({ atOnce = 4, mostWaiting = 100 } = {}) {
  const asked: string[][] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const reads = createSharedReads<string>({
    atOnce,
    mostWaiting,
    async read(keys) {
      asked.push([...keys]);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      await answer.promise;
      return new Map(keys.filter((key) => !key.startsWith('no')).map((key) => [key, key]));
    },
  });
  async function answer(error?: Error) {
    if (error) answers.shift()!.reject(error);
    else answers.shift()!.resolve();
    await setImmediate();
  }
  return { asked, answer, read: (asker: string, key: string) => reads.read({ asker, key }) };
}

test('what waits while a read runs is read together, and each gets its own value', async () => {
  const { asked, answer, read } = setUp();
  const all = [read('a', '1'), read('a', '2'), read('a', 'none'), read('b', '3'), read('a', '2'), read('b', '2')];
  await answer();
  await answer();
  expect(asked).toEqual([['1'], ['2', '3', 'none']]);
  expect(await Promise.all(all)).toEqual(['1', '2', undefined, '3', '2', '2']);
});

test('who asks for many keys delays others by one read', async () => {
  const { asked, answer, read } = setUp();
  const many = Array.from({ length: 10 }, (_, n) => read('a', `a${n}`));
  const few = [read('b', 'b0'), read('c', 'c0')];
  for (let n = 0; n < 4; n++) await answer();
  expect(asked).toEqual([['a0'], ['a1', 'b0', 'c0', 'a2'], ['a3', 'a4', 'a5', 'a6'], ['a7', 'a8', 'a9']]);
  expect(await Promise.all([...many, ...few])).toHaveLength(12);
});

test('beyond the limit of one who asks, only this one is refused, and no longer when the keys were read', async () => {
  const { answer, read } = setUp({ mostWaiting: 2 });
  const running = read('a', '1');
  const waiting = [read('a', '2'), read('a', '3')];
  await expect(read('a', '4')).rejects.toMatchObject({ code: 'storage.away' });
  const others = [read('a', '2'), read('b', '4')];
  await answer();
  const next = read('a', '4');
  await answer();
  await answer();
  expect(await Promise.all([running, ...waiting, ...others, next])).toEqual(['1', '2', '3', '2', '4', '4']);
});

test('a failed read fails for its keys only', async () => {
  const { answer, read } = setUp();
  const failed = [read('a', '1')];
  const rest = read('a', '2');
  const results = Promise.allSettled(failed);
  await answer(new Error('away'));
  await answer();
  expect(await results).toMatchObject([{ status: 'rejected', reason: { message: 'away' } }]);
  expect(await rest).toBe('2');
});
