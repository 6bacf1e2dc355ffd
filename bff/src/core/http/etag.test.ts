import { expect, test } from 'vitest';
import { noneMatch, tagsIn } from './etag.ts';

test('a list of tags matches with any of them, also weakly', () => {
  expect(noneMatch(undefined, '"a"')).toBe(true);
  expect(noneMatch('*', '"a"')).toBe(false);
  expect(noneMatch('"b", W/"a"', '"a"')).toBe(false);
  expect(noneMatch('"b"', 'W/"a"')).toBe(true);
});

test('a tag that a proxy has changed by compressing matches', () => {
  for (const tag of ['W/"5"', '"5-gzip"', '"5-br"', '"5-zstd"', '"5--gzip"', 'W/"5-gzip"']) {
    expect(noneMatch(tag, '"5"')).toBe(false);
    expect(noneMatch(tag, 'W/"5"')).toBe(false);
  }
  for (const tag of ['"5-"', '"5-other"', '"55-gzip"', '"-gzip"', '5-gzip']) expect(noneMatch(tag, '"5"')).toBe(true);
});

test('of a long list, only the first tags are read', () => {
  expect(tagsIn(`"a",${','.repeat(10_000)}"b"`)).toHaveLength(100);
});
