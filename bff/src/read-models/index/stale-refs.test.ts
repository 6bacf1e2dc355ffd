import { expect, test, vi } from 'vitest';
import { threadTicks } from '../../core/limits/loop-ticks.ts';
import { createStaleRefs } from './stale-refs.ts';

const refsOf = (count: number) => Array.from({ length: count }, (_, n) => n);

test('reads of single devices do not make the next read larger', async () => {
  const sizes: number[] = [];
  const stale = createStaleRefs(async (refs) => void sizes.push(refs.length));
  for (let n = 0; n < 5; n++) {
    stale.add([n]);
    await stale.refresh();
  }
  stale.add(refsOf(1000));
  await stale.refresh();
  expect(sizes.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
  expect(sizes[5]).toBeLessThanOrEqual(64);
});

test('the reads of all audiences wait for a later tick of the thread when one of them has used this one', async () => {
  let ticks = 0;
  vi.spyOn(threadTicks, 'isOver').mockReturnValue(true);
  vi.spyOn(threadTicks, 'next').mockImplementation(async () => void (ticks += 1));
  const audiences = Array.from({ length: 10 }, () => createStaleRefs(async () => {}));
  for (const audience of audiences) audience.add([1]);
  await Promise.all(audiences.map((audience) => audience.refresh()));
  expect(ticks).toBe(10);
});
