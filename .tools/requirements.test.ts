/** The table of requirements in SECURITY.md: each row names a test that exists, or says that there is none. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const rows = readFileSync(join(root, '.github/SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The titles of a file are strings of its code. */
function hasTest(file: string, title: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const code = readFileSync(path, 'utf8').replaceAll('\\', '');
  return [`'`, `"`, '`'].some((quote) => code.includes(`${quote}${title}${quote}`));
}

test('each requirement names a test that exists, or says that it was read', () => {
  expect(rows.length).toBeGreaterThan(80);
  const wrong = rows.filter(([, , , named = '']) => {
    const [, file = '', title = ''] = /^`([^`]+)` (.+)$/.exec(named) ?? [];
    return named !== 'read' && !hasTest(file, title);
  });
  expect(wrong.map(([, number, , named]) => `${number}: ${named}`)).toEqual([]);
});

test('each requirement is named once, in order', () => {
  const first = rows.map(([, numbers = '']) => numbers.split(/,| to /)[0]);
  const inOrder = first.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  expect(first).toEqual(inOrder);
  const all = rows.flatMap(([, numbers = '']) => numbers.split(/, | to /));
  expect(all.filter((number, index) => all.indexOf(number) !== index)).toEqual([]);
});
