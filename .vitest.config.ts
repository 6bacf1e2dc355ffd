import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { InlineConfig, Vite } from 'vitest/node';
import { keepFilesInMemory } from './.tools/files-in-memory.ts';

keepFilesInMemory();

const long = process.env.SWARMDECK_LONG === '1';

/** Of the server's tests, these run on PostgreSQL: the first four only there, the others on SQLite too. */
const onPostgres = [
  'tests/concurrent-writers',
  'tests/postgres-faults',
  'tests/both-stores',
  'store/schema',
  'store/shape',
  'change-feed/change-feed',
  'service/events/event-builder.store',
  'sign-in/sessions.store',
  'sign-in/steps.store',
  'sign-in/providers/single-sign-on.http',
  'sign-in/providers/real-provider.http',
  'sign-in/confirm/confirm.http',
  'sign-in/recovery/recovery.http',
  'sign-in/address/address.http',
  'sign-in/second-factor/second-factor.http',
  'sign-in/second-factor/second-factor-required.http',
  'sign-in/passkeys/passkeys.http',
  'read-models/devices/devices.routes',
  'read-models/index/index-queries',
  'read-models/screens.property',
  'read-models/wall.routes',
  'actions/action-kinds.http',
  'audience-notices/audience.http',
  'consent-ends/consent-ends.http',
  'demo/demo.http',
  'guests/guests.http',
  'guests/swarm-links.http',
  'http/departed-clients.http',
  'http/slow-readers.http',
  'http/unread-bodies.http',
  'http/unread-responses.http',
  'mqtt/mqtt.http',
  'mqtt/properties.http',
  'notices/push.http',
  'notices/webhooks.http',
  'operator/import-devices.http',
  'operator/operator.http',
  'presence/presence.http',
  'presence/refusals.http',
  'read-models/last-values/last-values.http',
  'read-models/screens.http',
  'read-models/devices/searches.http',
  'saved-views/saved-views.http',
  'service/activity/activity.http',
  'service/endpoint/idempotency.http',
  'service/events/event-lists.model.http',
  'service/events/events-access.http',
  'service/events/events.http',
  'service/invitations/invitations.http',
  'service/join-links/join-links.http',
  'service/join-requests/join-requests.http',
  'service/keys/device-keys.http',
  'service/keys/keys.http',
  'service/managers/managers.http',
  'service/members/members.http',
  'service/messages/messages.http',
  'service/messages/messages.model.http',
  'service/messages/messages.races.http',
  'service/messages/messages.store',
  'service/resources/position-reports.http',
  'service/swarms/directory.http',
  'service/swarms/swarms.http',
  'service/tracks/owntracks.http',
  'service/tracks/tracks.http',
  'service/values/values.http',
  'service/values/values.model.http',
  'actions/actions.http',
  'tests/authorisation',
  'tests/changes-during-reads',
  'tests/changes-during-requests',
  'tests/clock-set-back',
  'tests/contract',
  'tests/deletion',
  'tests/fairness',
  'service/handovers/handovers.http',
  'tests/former-access',
  'tests/lagging-process',
  'tests/model',
  'tests/payloads',
  'tests/quotas',
  'tests/races',
  'tests/reconnect',
  'tests/resource-fields',
  'service/resources/resources.http',
  'tests/secret',
  'tests/spec',
  'tests/tidy',
].map((name) => `bff/src/${name}.test.ts`);
// A file that was moved would no longer run on PostgreSQL, and no test would fail.
for (const file of onPostgres)
  if (!existsSync(join(import.meta.dirname, file)))
    throw new Error(`${file} is in the list onPostgres, and is not there`);

/** Tests over HTTP, which import the whole server: beside their noun, or in `tests/` if they cross. */
const overHttp = ['bff/src/**/*.http.test.ts', 'bff/src/tests/**/*.test.ts'];
const onlyOnPostgres = onPostgres.slice(0, 4);

/** The server's code runs as it does in production: Node strips its types, and Vite transforms nothing. */
const asInNode = { experimental: { viteModuleRunner: false, nodeLoader: false } };
/** Without `setImmediate`: a turn of the event loop that a test has begun (loop-turns.ts) would not end for the next file of its worker. */
const fakeTimers: InlineConfig['fakeTimers'] = {
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
};
const ofServer = {
  ...asInNode,
  setupFiles: ['bff/src/store/reused-threads.fixture.ts'],
  fakeTimers,
};

/** Places have a URL in tests of the web app, as web/places.plugin.ts makes it; their files are not built. */
const places: Vite.Plugin = {
  name: 'places',
  resolveId: (id) => (id.startsWith('virtual:places-') ? `\0${id}` : undefined),
  load: (id) => (id.startsWith('\0virtual:places-') ? `export default '/@places/none.bin'` : undefined),
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
          globalSetup: ['.tools/vitest.postgres.ts', 'bff/src/store/template.fixture.ts'],
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
          ],
        },
      },
      { extends: true, test: { ...asInNode, name: 'tools', include: ['.tools/**/*.test.ts'] } },
    ],
  },
});
