/**
 * `npm run mutation [-- FILE …]`: mutation testing of the rules, or of these files of them. Fails below 85 % killed mutants, and
 * if a file that the configuration names is missing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './checks.ts';
import { root, run } from './run.ts';

const { mutate } = readJson(join(root, '.stryker.config.json')) as { mutate: string[] };
const only = process.argv.slice(2);
const missing = [...mutate, ...only].filter((file) => !existsSync(join(root, file)));
if (missing.length > 0) throw new Error(`these files are missing: ${missing.join(', ')}`);

const { code } = await run({
  command: process.execPath,
  args: [
    join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    'run',
    '.stryker.config.json',
    ...(only.length > 0 ? ['--mutate', only.join()] : []),
  ],
  loud: true,
});
process.exitCode = code;
