import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson } from './checks.ts';
import { root } from './run.ts';

/** Both throw when `npm run mutation` starts, which no check runs. */
test('the rules and the tests of mutation testing are there', async () => {
  const { mutate } = readJson(join(root, '.stryker.config.json')) as { mutate: string[] };
  expect(mutate.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  await import('../.vitest.mutation.config.ts');
});
