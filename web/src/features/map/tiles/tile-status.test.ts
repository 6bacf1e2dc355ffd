import { expect, test } from 'vitest';
import { isTiled, tilesWord } from './tile-status.ts';

const none = { loading: 0, shown: 0, missing: 0, failed: 0 };

test.each([
  ['nothing is asked for', {}, null],
  ['all are on their way', { loading: 12 }, null],
  ['all are there', { shown: 12 }, null],
  ['the first failed and none is there', { loading: 11, failed: 1 }, 'failed'],
  ['some failed and others are on their way', { loading: 3, shown: 8, failed: 1 }, null],
  ['some failed in the end', { shown: 11, failed: 1 }, 'some_failed'],
  ['all failed', { failed: 12 }, 'failed'],
  ['the server has some', { shown: 6, missing: 6 }, null],
  ['the server has none here', { missing: 12 }, 'missing'],
] as const)('where %s, the word is this', (_, counts, word) => {
  expect(tilesWord({ ...none, ...counts })).toBe(word);
});

test.each([
  ['nothing is there', {}, false, false],
  ['the first of many is there', { shown: 1, loading: 9 }, false, false],
  ['half are there', { shown: 5, loading: 5 }, false, true],
  ['others are on their way', { shown: 1, loading: 9 }, true, true],
  ['most failed in the end', { shown: 1, failed: 9 }, true, false],
  ['there are none here', { missing: 9 }, true, false],
  ['some are missing', { shown: 7, missing: 2 }, false, true],
] as const)('where %s, it is a map of tiles or not', (_, counts, before, tiled) => {
  expect(isTiled({ ...none, ...counts }, before)).toBe(tiled);
});
