import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const long = process.env.SWARMDECK_LONG === '1';

/** Files share their worker (no isolation), so a test cleans up what it starts. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    isolate: false,
    // the longest files wait for processes, streams and timers; by default there is one worker less than cores
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    setupFiles: ['.tools/vitest.setup.ts'],
    testTimeout: long ? 1_800_000 : 60_000,
    projects: [
      { extends: true, test: { name: 'bff', include: ['bff/src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['web/src/text/vitest.setup.ts'],
        },
      },
      { extends: true, test: { name: 'tools', include: ['.tools/**/*.test.ts'] } },
    ],
  },
});
