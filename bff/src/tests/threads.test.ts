import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');

/** The packages that a file imports, directly or through other files. Types are not imported at run time. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gms);
  return [...imports].flatMap(([, name]) => {
    if (name!.startsWith('.')) return packagesOf(join(dirname(file), name!), seen);
    return name!.startsWith('node:') ? [] : [name!];
  });
}

test.each(['read-models/index/index.thread.ts', 'core/store/read.thread.ts', 'core/store/sqlite/write.thread.ts'])(
  '%s imports no packages, which it would load at each start',
  (file) => {
    expect(packagesOf(join(source, file))).toEqual([]);
  },
);

test('packages that other files import are found', () => {
  expect(packagesOf(join(source, 'read-models/devices/devices.routes.ts'))).toContain('@hono/zod-openapi');
});

test('threads and shapes are started by a file beside them, because a release is one flat folder', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((name) => !name.endsWith('.test.ts'));
  const others = /new URL\('(?!\.\/)[^']*\.(?:thread|shape)\.ts'/;
  expect(files.filter((name) => others.test(readFileSync(join(source, name), 'utf8')))).toEqual([]);
});
