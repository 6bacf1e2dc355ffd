import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const crossing = ['authorisation', 'changes-during-requests', 'contract', 'races', 'spec'].map(
  (name) => `bff/src/tests/${name}.test.ts`,
);
const ofNouns = [
  ...['events', 'invitations', 'members', 'resources', 'swarms'].map((noun) => `core/${noun}/${noun}`),
  ...['join-links', 'join-requests', 'managers'].map((noun) => `capabilities/${noun}/${noun}`),
].map((name) => `bff/src/${name}.http.test.ts`);
const ofParts = [
  'capabilities/actions/action-kinds.http',
  'capabilities/audience-notices/audience.http',
  'capabilities/consent-ends/consent-ends.http',
  'capabilities/guests/swarm-links.http',
  'capabilities/handovers/handovers.http',
  'core/accounts/confirm/confirm.http',
  'core/endpoint/write-checks.store',
  'core/http/docs-page',
  'core/members/consent-ends',
  'core/members/many-members.http',
].map((name) => `bff/src/${name}.test.ts`);
const ofServer = [...crossing, ...ofNouns, ...ofParts];
const ofWeb = ['forms/merge-fields', 'stream/changes'].map((name) => `web/src/data/${name}.test.ts`);

const missing = [...ofServer, ...ofWeb].filter((file) => !existsSync(join(import.meta.dirname, file)));
if (missing.length > 0)
  throw new Error(`.vitest.mutation.config.ts names files that are missing: ${missing.join(', ')}`);

const shared = { isolate: false, restoreMocks: true };

/** For `npm run mutation`: the tests that hold the rules, and no others. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    // where a change makes something wait for ever, this tells
    testTimeout: 8000,
    projects: [
      {
        test: {
          name: 'bff',
          ...shared,
          include: ofServer,
          testTimeout: 8000,
          setupFiles: ['.tools/vitest.setup.ts', '.tools/cheap-scrypt.ts'],
        },
      },
      {
        test: {
          name: 'web',
          ...shared,
          include: ofWeb,
          environment: 'jsdom',
          testTimeout: 8000,
          setupFiles: ['.tools/vitest.setup.ts', 'web/src/text/vitest.setup.ts'],
        },
      },
    ],
  },
});
