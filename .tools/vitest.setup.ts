import fc from 'fast-check';
import { afterEach, vi } from 'vitest';

/** One seed for every property of a run (checks.ts). */
const seed = Number(process.env.SWARMDECK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const long = process.env.SWARMDECK_LONG === '1';
fc.configureGlobal({ seed, numRuns: long ? 10_000 : 100 });

// The next file of this worker would get the fake ones.
afterEach(() => void vi.useRealTimers());
