import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKeys } from './account-keys.ts';
import { beginsWith } from './key-parts.ts';
import { queryKeys } from './query-keys.ts';

const src = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(src, file), 'utf8');

/** The key with this name, such as `queryKeys.device.sent`, with `x` for each of its parts. */
function keyNamed(name: string): readonly unknown[] {
  const [first, ...path] = name.split('.');
  const all: object = first === 'queryKeys' ? queryKeys : accountKeys;
  const key = path.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], all);
  return typeof key === 'function'
    ? (key as (...parts: string[]) => readonly unknown[])('x', 'x', 'x')
    : (key as unknown[]);
}

const names = /\b(?:queryKeys|accountKeys)(?:\.\w+)+/g;
/** What the table of changes names, also by its short names, and what a function for it names. */
const changes = (read('data/stream/changes.ts') + read('data/values/live-values.ts'))
  .replaceAll(/\b(devices|device|invitations)\./g, 'queryKeys.$1.')
  .replaceAll('swarmKeys.', 'queryKeys.swarm.')
  .replaceAll('queryKeys.queryKeys.', 'queryKeys.');
const marked = [...new Set(changes.match(names))].map(keyNamed).filter(Array.isArray);

/** The names of the keys with which something is read, and whether it is polled. */
const uses = globSync('**/*.{ts,tsx}', { cwd: src, exclude: ['**/*.test.*', '**/*.fixture.*'] }).flatMap((file) => {
  const [, ...queries] = read(file).split(/(?<!Queries\(\{ )\b(?:queryKey|key): (?=(?:queryKeys|accountKeys)\.)/);
  return queries.map((query) => ({
    name: query.match(names)![0],
    isPolled: /\brefetchInterval\b|\binterval: (?!\(\) => false)|\.\.\.refresh\b/.test(query.slice(0, 900)),
  }));
});

/** The keys below a comment that says so. */
const readWhenOpened = ['query-keys.ts', 'account-keys.ts'].flatMap((file) =>
  [...read(`data/cache/${file}`).matchAll(/\/\*\*[^\n]*Read when opened\.[^\n]*\*\/\n\s+(\w+):/g)].map(
    ([, name]) => name,
  ),
);

test('what is read is read again after a change, is polled, or says that it is read when it is opened', () => {
  expect(uses.length).toBeGreaterThan(70);
  const forgotten = uses
    .filter(({ name, isPolled }) => !isPolled && !readWhenOpened.includes(name.split('.').at(-1)))
    .filter(({ name }) => !marked.some((key) => beginsWith(keyNamed(name), key)))
    .map(({ name }) => name);
  expect(forgotten).toEqual([]);
});
