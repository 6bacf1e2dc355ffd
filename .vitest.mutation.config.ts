import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const crossing = ['authorisation', 'changes-during-requests', 'contract', 'races', 'spec'].map(
  (name) => `bff/src/tests/${name}.test.ts`,
);
const ofNouns = [
  'events',
  'invitations',
  'join-links',
  'join-requests',
  'managers',
  'members',
  'resources',
  'swarms',
].map((noun) => `bff/src/service/${noun}/${noun}.http.test.ts`);
const ofParts = [
  'actions/action-kinds.http',
  'audience-notices/audience.http',
  'consent-ends/consent-ends.http',
  'guests/swarm-links.http',
  'http/docs-page',
  'service/endpoint/write-checks.store',
  'service/handovers/handovers.http',
  'service/members/consent-ends',
  'service/members/many-members.http',
  'sign-in/confirm/confirm.http',
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
