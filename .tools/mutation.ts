/**
 * `npm run mutation`: changes the rules of invitations and the policy in every small way, one at a time, and counts
 * the changes that some test notices. Fails under 85 %. Databases lie in memory where there is such a place.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.ts';

const memory = '/dev/shm';

const { code } = await run({
  command: process.execPath,
  args: [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', '.stryker.config.json'],
  env: { ...process.env, ...(existsSync(memory) && { TMPDIR: memory }) },
  loud: true,
});
process.exitCode = code;
