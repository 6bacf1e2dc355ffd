import { expect, test } from 'vitest';
import { licencesText, requireUniqueNames } from './release.ts';

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
