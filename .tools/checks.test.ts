import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { furtherTests, packagesOf } from './checks.ts';
import { root } from './run.ts';

test('the tests that a change of the server also needs are there', () => {
  const files = furtherTests.flatMap((tests) => tests.files);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each([
  ['bff/src/core/keys/keys.use-cases.ts', ['rights and the contract on SQLite']],
  ['bff/src/core/keys/keys.store.ts', ['rights and the contract on SQLite', 'the feed and races on PostgreSQL']],
  ['bff/src/core/store/schema/triggers/swarms.ts', furtherTests.map(({ what }) => what)],
  ['web/src/main.tsx', []],
])('a change of %s also needs %j', (file, needed) => {
  expect(furtherTests.filter(({ isOf }) => isOf.test(file)).map(({ what }) => what)).toEqual(needed);
});

test.each([
  ['bff/src/core/keys/keys.use-cases.ts', ['bff']],
  ['bff/src/core/contract/web-api.ts', ['bff', 'web', 'e2e']],
  ['bff/src/core/limits/durations.ts', ['bff', 'web', 'e2e']],
  ['bff/src/capabilities/saved-views/rules.ts', ['bff', 'web', 'e2e']],
  ['bff/src/capabilities/saved-views/capability.ts', ['bff']],
  ['.oxlintrc.json', ['bff', 'web', 'e2e']],
  ['web/src/main.tsx', ['web']],
  ['.tools/run.ts', []],
])('the lint and types that a change of %s concerns are of %j', (file, packages) => {
  expect(packagesOf([file])).toEqual(packages);
});
