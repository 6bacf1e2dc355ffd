import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';
import { createLoopTicks, startInTicks } from './loop-ticks.ts';

/** Queues that share the ticks, with a clock that only their jobs move. */
function setUp() {
  let now = 0;
  const clock = () => now;
  const ticks = createLoopTicks({ mostMs: 2, clock });
  /** What each tick of the event loop has run. */
  const ran: string[][] = [[]];
  const queueOf = (name: string) => {
    const queue = createFairQueue({ mostWaiting: 100, atOnce: 4, clock, ticks });
    return (user: string) =>
      queue.run({ user }, async () => {
        await Promise.resolve();
        now += 1;
        ran.at(-1)!.push(name);
      });
  };
  return { ran, queueOf };
}

test('the jobs of all queues that share its ticks take so much of a tick of the event loop, and no queue starves another', async () => {
  const { ran, queueOf } = setUp();
  const [lists, keys] = [queueOf('lists'), queueOf('keys')];
  let isDone = false;
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => [lists(`ann ${n}`), keys(`bob ${n}`)]).flat());
  void all.then(() => (isDone = true));
  while (!isDone) {
    await setImmediate();
    ran.push([]);
  }
  const jobsByTick = ran.map((jobs) => jobs.length);
  expect(jobsByTick.reduce((sum, jobs) => sum + jobs)).toBe(40);
  // The first ones begin together, one for each place, because none has taken any time yet.
  expect(jobsByTick[0]).toBe(8);
  expect(Math.max(...jobsByTick.slice(1))).toBe(2);
  const half = ran.flat().slice(0, 20);
  expect(half.filter((name) => name === 'lists').length).toBeGreaterThan(5);
  expect(half.filter((name) => name === 'keys').length).toBeGreaterThan(5);
});

test('starts one item in each tick, and does not wait for its result', async () => {
  const started: number[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const all = startInTicks([1, 2, 3], async (item) => {
    started.push(item);
    await ended;
    return -item;
  });
  const counts: number[] = [];
  for (let tick = 0; tick < 3; tick++) {
    counts.push(started.length);
    await setImmediate();
  }
  expect(counts).toEqual([1, 2, 3]);
  end();
  expect(await all).toEqual([-1, -2, -3]);
});

test('an item that fails before all are started is no unhandled rejection', async () => {
  const started: number[] = [];
  const failing = startInTicks([1, 2, 3], async (item) => {
    started.push(item);
    if (item === 1) throw new Error('the first one');
  });
  await expect(failing).rejects.toThrow('the first one');
  expect(started).toEqual([1, 2, 3]);
});
