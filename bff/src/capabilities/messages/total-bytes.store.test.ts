import { expect, test } from 'vitest';
import { createTotalBytes } from './total-bytes.store.ts';

test('a message does not overtake one that waits for the sum', async () => {
  const reads: (() => void)[] = [];
  const totalBytes = createTotalBytes({
    db: { read: () => new Promise((resolve) => reads.push(() => resolve([{ bytes: 0, share: 0 }] as never[]))) },
    most: 100,
    now: () => new Date('2026-01-01'),
    trimTo: () => {},
  });
  const admitted: string[] = [];
  const ask = (name: string) => totalBytes.requireRoom('ann').then(() => admitted.push(name));
  const first = ask('first');
  const second = ask('second');
  await expect.poll(() => reads.length).toBe(1);
  reads.shift()!();
  await first;
  await ask('third');
  reads.shift()?.();
  await second;
  expect(admitted).toEqual(['first', 'second', 'third']);
});
