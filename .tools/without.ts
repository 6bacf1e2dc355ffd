/**
 * `without.ts NAME…`: whether the server without these capabilities still passes the type check, its tests included: their folders and
 * their lines are taken out of a copy.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run.ts';

const names = process.argv.slice(2);
const copy = join(root, 'test-results/without', names.join('-'));
rmSync(copy, { recursive: true, force: true });
const own = names.map((name) => join(root, 'bff/src/capabilities', name));
const isCopied = (path: string) => !own.includes(path) && basename(path) !== 'node_modules';
for (const part of ['bff', 'web/src', 'web/package.json', '.tools', 'tsconfig.base.json', 'package.json'])
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: isCopied });
for (const folder of ['.', 'bff', 'web'])
  symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
for (const file of ['capabilities.ts', 'capabilities.contract.ts']) {
  const path = join(copy, 'bff/src', file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const isOfOthers = (line: string) => !names.some((name) => line.includes(`/capabilities/${name}/`));
  writeFileSync(path, lines.filter(isOfOthers).join('\n'));
}
const checked = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'bff'], { cwd: copy, encoding: 'utf8' });
rmSync(copy, { recursive: true, force: true });
process.stdout.write(checked.stdout);
if (checked.status !== 0) process.exitCode = 1;
