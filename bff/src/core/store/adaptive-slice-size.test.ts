import { expect, test } from 'vitest';
import { createAdaptiveSliceSize } from './adaptive-slice-size.ts';

/** The sizes of the slices of a search that takes this many milliseconds for each row. */
async function sizesAt(msPerRow: number): Promise<number[]> {
  let time = 0;
  const size = createAdaptiveSliceSize({ clock: () => time });
  const sizes: number[] = [];
  for (let slice = 0; slice < 8; slice++) {
    sizes.push(size.rows);
    await size.timed(async () => void (time += msPerRow * size.rows));
  }
  return sizes;
}

test('a slice of a cheap search grows to a thousand rows', async () => {
  expect(await sizesAt(0.001)).toEqual([64, 256, 1000, 1000, 1000, 1000, 1000, 1000]);
});

test('a slice of an expensive search takes about 4 ms', async () => {
  expect((await sizesAt(0.2)).slice(1)).toEqual([20, 20, 20, 20, 20, 20, 20]);
});

test('a slice that is not full makes the next one smaller if it was slow, and never larger', async () => {
  let time = 0;
  const size = createAdaptiveSliceSize({ clock: () => time });
  await size.timed(async () => {}, 1);
  expect(size.rows).toBe(64);
  await size.timed(async () => void (time += 8), 60);
  expect(size.rows).toBe(30);
});

test('a slice has some rows at any cost', async () => {
  expect((await sizesAt(1000)).slice(1)).toEqual([16, 16, 16, 16, 16, 16, 16]);
});
