import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { licencesText, partsOf, requireUniqueNames } from './release.ts';

test('a package without the text of its licence cannot be released', () => {
  const zod = { name: 'zod', version: '4.0.0', identifier: 'MIT', text: 'Permission is granted.' };
  expect(licencesText([zod, zod])).toBe(
    '# Licences of what this package contains\n\n## zod 4.0.0 (MIT)\n\nPermission is granted.\n',
  );
  expect(() => licencesText([zod, { name: 'other', version: '1.0.0', identifier: 'MIT' }])).toThrow(
    'other 1.0.0 has no licence text',
  );
});

test('a package without a text takes the one of the same authors', () => {
  const hono = { name: 'hono', version: '4.0.0', identifier: 'MIT', text: 'Permission is granted.' };
  const without = { name: '@hono/zod-openapi', version: '1.0.0', identifier: 'MIT' };
  expect(licencesText([hono, without])).toContain('## @hono/zod-openapi 1.0.0 (MIT)\n\nPermission is granted.\n');
});

test('two threads of one name cannot be in a package', () => {
  const entries = [
    ['index.thread', '/src/read-models/index.thread.ts'],
    ['index.shape', '/src/values/index.shape.ts'],
  ] as const;
  expect(() => requireUniqueNames([...entries])).not.toThrow();
  expect(() => requireUniqueNames([...entries, ['index.thread', '/src/tracks/index.thread.ts']])).toThrow(
    'Two files are named index.thread: /src/read-models/index.thread.ts, /src/tracks/index.thread.ts',
  );
});

test('the list of parts is as npm writes it', () => {
  const self = { name: 'swarmdeck', version: '1.2.3', license: 'MIT' };
  const hono = { name: '@hono/node-server', version: '4.0.0', identifier: 'MIT' };
  const qr = { name: 'qr', version: '0.7.0', identifier: '(MIT OR Apache-2.0)' };
  const parts = partsOf(self, [qr, hono, qr, { ...qr, version: '0.6.0' }]);
  expect(parts.components.map(({ purl }) => purl)).toEqual([
    'pkg:npm/%40hono/node-server@4.0.0',
    'pkg:npm/qr@0.6.0',
    'pkg:npm/qr@0.7.0',
  ]);

  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-parts-'));
  const dependencies = { [hono.name]: hono.version, qr: '0.7.0' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...self, dependencies }));
  const packages = Object.fromEntries(
    [hono, qr].map(({ name, version, identifier }) => [`node_modules/${name}`, { version, license: identifier }]),
  );
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, packages: { '': { ...self, dependencies }, ...packages } }),
  );
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const ofNpm = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const { metadata, ...ours } = partsOf(self, [hono, qr]);
  const theirs = JSON.parse(ofNpm.stdout) as typeof ours & { metadata: { component: object } };
  expect(theirs).toMatchObject(ours);
  // npm names the folder
  expect({ ...theirs.metadata.component, name: 'swarmdeck' }).toMatchObject(metadata.component);
});
