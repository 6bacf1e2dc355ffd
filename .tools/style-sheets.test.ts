import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.ts';

const textOf = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

test('each custom property that a style sheet reads without another value is set by a style sheet or the app', () => {
  const styles = textOf('web/src/**/*.css');
  const code = textOf('web/{src/**/*.{ts,tsx},index.html}');
  const namesIn = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name = '']) => name);
  const read = namesIn(styles, /var\((--[\w-]+)\)/g);
  const set = new Set([...namesIn(styles, /(--[\w-]+)\s*:/g), ...namesIn(code, /(--[\w-]+)/g)]);
  expect(read.length).toBeGreaterThan(1000);
  expect([...new Set(read)].filter((name) => !set.has(name))).toEqual([]);
});
