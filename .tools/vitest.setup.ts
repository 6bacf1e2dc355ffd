import fc from 'fast-check';
import { afterEach, vi } from 'vitest';

/** One seed for every property of a run (checks.ts). */
const seed = Number(process.env.SWARMDECK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const long = process.env.SWARMDECK_LONG === '1';
fc.configureGlobal({ seed, numRuns: long ? 10_000 : 100 });

// by default one second, which a busy machine needs; the files of a worker share this object
const patient = Symbol.for('swarmdeck.patient');
if (!(patient in vi)) {
  const { waitFor } = vi;
  Object.assign(vi, {
    [patient]: true,
    // vi.waitFor and expect.poll ask it, and move a clock that a test has stopped each time they look: more often on a busy machine
    isFakeTimers: () => false,
    waitFor: (...[callback, given = {}]: Parameters<typeof waitFor>) =>
      waitFor(callback, typeof given === 'number' ? given : { timeout: 30_000, ...given }),
  });
}

// The next file of this worker would get the fake ones.
afterEach(() => void vi.useRealTimers());
// What the last test of the file before has stubbed is otherwise there until the first test of this one begins.
vi.unstubAllGlobals();
