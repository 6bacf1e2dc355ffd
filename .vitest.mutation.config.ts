import { defineConfig } from 'vitest/config';

const holding = [
  'authorisation',
  'contract',
  'spec',
  'invitations',
  'members',
  'meanwhile',
  'races',
  'events',
  'account-end',
];

/** For `npm run mutation`: the tests that hold the policy and the rules of invitations, and no others. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: holding.map((name) => `bff/src/tests/${name}.test.ts`),
    isolate: false,
    restoreMocks: true,
    setupFiles: ['.tools/vitest.setup.ts'],
    // where a change makes something wait for ever, this tells
    testTimeout: 8000,
  },
});
