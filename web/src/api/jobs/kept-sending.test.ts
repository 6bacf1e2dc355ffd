import { expect, test } from 'vitest';
import { startKeptJob } from './kept-sending.ts';

function start({ isKept }: { isKept: boolean }) {
  const happened: unknown[] = [];
  const { done } = startKeptJob<string, { ok: boolean }, boolean>({
    key: 'job',
    kept: isKept
      ? { add: (key, ends) => happened.push(['kept', key, ...ends]), end: (key) => happened.push(['ended', key]) }
      : null,
    keepEnd: ({ ok }) => ok,
    rows: [
      [0, 'a'],
      [1, 'b'],
    ],
    send: async (row) => {
      if (row === 'b') throw new Error('no');
      return { ok: true };
    },
    refused: () => ({ ok: false }),
    tell: (ends) => happened.push(['told', ends.length]),
    pause: async () => undefined,
    isMany: false,
  });
  return done.then(() => happened);
}

test('what is told has been kept before, and nothing stays once it has ended', async () => {
  expect(await start({ isKept: true })).toEqual([
    ['kept', 'job', [0, true], [1, false]],
    ['told', 2],
    ['ended', 'job'],
  ]);
});

test('what is not kept is told all the same', async () => {
  expect(await start({ isKept: false })).toEqual([['told', 2]]);
});
