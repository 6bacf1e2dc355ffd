import { expect, test } from 'vitest';
import { noneMatch, tagsIn } from './etag.ts';

test('a list of tags matches with any of them, also weakly', () => {
  expect(noneMatch(undefined, '"a"')).toBe(true);
  expect(noneMatch('*', '"a"')).toBe(false);
  expect(noneMatch('"b", W/"a"', '"a"')).toBe(false);
  expect(noneMatch('"b"', 'W/"a"')).toBe(true);
});

test('of a long list, only the first tags are read', () => {
  expect(tagsIn(`"a",${','.repeat(10_000)}"b"`)).toHaveLength(100);
});
