/**
 * `npm run mutation`: mutation testing of the rules of invitations and the policy. Fails below 85 % killed mutants. The
 * databases are in memory if possible.
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
