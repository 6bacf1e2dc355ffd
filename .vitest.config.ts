import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './.tools/files-in-memory.ts';

keepFilesInMemory();

const long = process.env.SWARMDECK_LONG === '1';

/** Of the server's tests, these run on PostgreSQL: the first four only there, the others on SQLite too. */
const onPostgres = [
  'tests/concurrent-writers',
  'tests/postgres-faults',
  'tests/both-stores',
  'store/schema',
  'change-feed/change-feed',
  'service/events/event-builder.store',
  'sign-in/sessions.store',
  ...['devices.routes', 'index-queries', 'screens.property', 'wall.routes'].map((name) => `read-models/${name}`),
  ...[
    'action-kinds',
    'actions',
    'activity',
    'authorisation',
    'changes-during-requests',
    'clock-set-back',
    'contract',
    'deletion',
    'demo',
    'device-keys',
    'directory',
    'event-lists.model',
    'events',
    'events-access',
    'former-access',
    'idempotency',
    'invitations',
    'join-links',
    'join-requests',
    'keys',
    'lagging-process',
    'managers',
    'members',
    'messages',
    'messages.model',
    'messages.races',
    'model',
    'mqtt',
    'operator',
    'owntracks',
    'position-reports',
    'presence',
    'push',
    'quotas',
    'races',
    'reconnect',
    'requests-at-once',
    'resource-fields',
    'resources',
    'saved-views',
    'screens',
    'searches',
    'slow-readers',
    'secret',
    'spec',
    'swarms',
    'tidy',
    'tracks',
    'webhooks',
  ].map((name) => `tests/${name}`),
].map((name) => `bff/src/${name}.test.ts`);
// A file that was moved would no longer run on PostgreSQL, and no test would fail.
for (const file of onPostgres)
  if (!existsSync(join(import.meta.dirname, file)))
    throw new Error(`${file} is in the list onPostgres, and is not there`);

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
          name: 'bff',
          include: ['bff/src/**/*.test.ts'],
          exclude: ['both-stores', 'concurrent-writers', 'postgres-faults', 'schema'].map(
            (name) => `**/${name}.test.ts`,
          ),
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: onPostgres,
          env: { TEST_STORE: 'postgres' },
          globalSetup: ['.tools/vitest.postgres.ts', 'bff/src/store/template.fixture.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['web/src/text/vitest.setup.ts', 'web/src/api/responses.fixture.ts'],
        },
      },
      { extends: true, test: { name: 'tools', include: ['.tools/**/*.test.ts'] } },
    ],
  },
});
