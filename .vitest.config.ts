import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { InlineConfig, Vite } from 'vitest/node';
import { keepFilesInMemory } from './.tools/files-in-memory.ts';

keepFilesInMemory();

const long = process.env.SWARMDECK_LONG === '1';
/** `npm test`, but not the long run, and not a file that is run alone. */
const isShort = process.env.SWARMDECK_SHORT === '1';

/** The stores that a test of the server names in its first line. Without such a line it runs on SQLite. */
const storesOf = (file: string) =>
  /^\/\/ stores: (.*)/.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1] ?? 'SQLite';
const ofServerByStores = Object.groupBy(
  globSync('bff/src/**/*.test.ts', { cwd: import.meta.dirname }).toSorted(),
  storesOf,
);
const {
  SQLite: _onlyOnSqlite,
  PostgreSQL: onlyOnPostgres = [],
  'SQLite, PostgreSQL': onBoth = [],
  'SQLite, PostgreSQL in the long run': onBothIfLong = [],
  ...unknown
} = ofServerByStores;
if (Object.keys(unknown).length > 0) throw new Error(`These first lines name no stores: ${JSON.stringify(unknown)}`);
const onPostgres = [...onlyOnPostgres, ...onBoth, ...(isShort ? [] : onBothIfLong)];

/** Tests over HTTP, which import the whole server: beside their noun, or in `tests/` if they cross. */
const overHttp = ['bff/src/**/*.http.test.ts', 'bff/src/tests/**/*.test.ts'];

/** The server's code runs as it does in production: Node strips its types, and Vite transforms nothing. */
const asInNode = { experimental: { viteModuleRunner: false, nodeLoader: false } };
/** Without `setImmediate`: a turn of the event loop that a test has begun (loop-turns.ts) would not end for the next file of its worker. */
const fakeTimers: InlineConfig['fakeTimers'] = {
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
};
const ofServer = {
  ...asInNode,
  setupFiles: ['bff/src/core/store/reused-threads.fixture.ts'],
  fakeTimers,
};

/** Places have a URL in tests of the web app, as web/places.plugin.ts makes it, and no cell has a file: none is built. */
const places: Vite.Plugin = {
  name: 'places',
  resolveId: (id) => (/^virtual:(?:places-|cells$)/.test(id) ? `\0${id}` : undefined),
  load(id) {
    if (id === '\0virtual:cells')
      return `export const folder = '/@cells/', filled = { land: '', water: '', towns: '', villages: '' }`;
    return id.startsWith('\0virtual:places-') ? `export default '/@places/none.bin'` : undefined;
  },
};

/** Files share their worker (no isolation), so a test cleans up what it starts. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    isolate: false,
    // tests wait for processes, streams and timers, so with three workers a sixth of the time of two cores was left
    maxWorkers: 2 * availableParallelism(),
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    setupFiles: ['.tools/vitest.setup.ts', '.tools/cheap-scrypt.ts'],
    // limits for a busy machine
    testTimeout: long ? 1_800_000 : 300_000,
    hookTimeout: long ? 1_800_000 : 300_000,
    // by default one second, which a busy machine needs
    expect: { poll: { timeout: 30_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          ...ofServer,
          name: 'bff',
          include: ['bff/src/**/*.test.ts'],
          exclude: [...overHttp, ...onlyOnPostgres],
        },
      },
      {
        extends: true,
        test: { ...ofServer, name: 'http', include: overHttp, exclude: onlyOnPostgres },
      },
      {
        extends: true,
        test: {
          ...ofServer,
          name: 'postgres',
          include: onPostgres,
          env: { TEST_STORE: 'postgres' },
          globalSetup: ['.tools/vitest.postgres.ts', 'bff/src/core/store/template.fixture.ts'],
        },
      },
      {
        extends: true,
        plugins: [places],
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: [
            'web/src/text/vitest.setup.ts',
            'web/src/data/vitest.setup.ts',
            'web/src/ui/vitest.setup.ts',
            'web/src/data/responses.fixture.ts',
            'web/src/ui/home-page.fixture.ts',
          ],
        },
      },
      { extends: true, test: { ...asInNode, name: 'tools', include: ['.tools/**/*.test.ts'] } },
    ],
  },
});
