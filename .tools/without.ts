/**
 * `without.ts NAME…`: whether the server without these capabilities, and those that need them, still passes the type check, its tests
 * included: their folders and their lines are taken out of a copy.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run.ts';

const folder = join(root, 'bff/src/capabilities');
const registry = readFileSync(join(root, 'bff/src/capabilities.ts'), 'utf8');
/** The folder of each capability, by its name in the registry, which `needs` of others has. */
const folders = new Map(
  [...registry.matchAll(/^export \{ (\w+) \} from '\.\/capabilities\/([^/]+)\//gm)].map(([, name = '', of = '']) => [
    name,
    of,
  ]),
);
const needs = [...folders.values()].map((of) => {
  const [, list = ''] = /^ {2}needs: \[(.*)\],$/m.exec(readFileSync(join(folder, of, 'capability.ts'), 'utf8')) ?? [];
  return { of, needed: [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => folders.get(name)) };
});
const names = process.argv.slice(2);
for (const name of names)
  for (const { of, needed } of needs) if (needed.includes(name) && !names.includes(of)) names.push(of);

const copy = join(root, 'test-results/without', names.join('-'));
rmSync(copy, { recursive: true, force: true });
const own = names.map((name) => join(folder, name));
const isCopied = (path: string) => !own.includes(path) && basename(path) !== 'node_modules';
for (const part of ['bff', 'web/src', 'web/package.json', '.tools', 'tsconfig.base.json', 'package.json'])
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: isCopied });
for (const part of ['.', 'bff', 'web']) symlinkSync(join(root, part, 'node_modules'), join(copy, part, 'node_modules'));
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
