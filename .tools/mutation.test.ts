import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson } from './checks.ts';
import { root } from './run.ts';

const { mutate, ignorePatterns } = readJson(join(root, '.stryker.config.json')) as {
  mutate: string[];
  ignorePatterns: string[];
};

/** Both throw when `npm run mutation` starts, which no check runs. */
test('the rules and the tests of mutation testing are there', async () => {
  expect(mutate.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  await import('../.vitest.mutation.config.ts');
});

/** Without its first slash, a name also leaves out folders of that name inside the packages. */
test('what mutation testing leaves out is named from the top', () => {
  expect(ignorePatterns.filter((pattern) => !pattern.startsWith('/'))).toEqual([]);
});
