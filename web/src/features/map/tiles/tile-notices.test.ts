import { expect, test } from 'vitest';
import { isTiled, tileStatus } from './tile-notices.tsx';

const none = { loading: 0, shown: 0, missing: 0, failed: 0 };

test.each([
  ['no tile is requested', {}, null],
  ['all tiles are loading', { loading: 12 }, null],
  ['all tiles are shown', { shown: 12 }, null],
  ['the first failed and none is shown', { loading: 11, failed: 1 }, 'failed'],
  ['some failed and others are loading', { loading: 3, shown: 8, failed: 1 }, null],
  ['some failed and none is loading', { shown: 11, failed: 1 }, 'some_failed'],
  ['all failed', { failed: 12 }, 'failed'],
  ['the server has some', { shown: 6, missing: 6 }, null],
  ['the server has none here', { missing: 12 }, 'missing'],
] as const)('the status is correct if %s', (_, counts, word) => {
  expect(tileStatus({ ...none, ...counts })).toBe(word);
});

test.each([
  ['no tile is shown', {}, false, false],
  ['the first of many is shown', { shown: 1, loading: 9 }, false, false],
  ['half are shown', { shown: 5, loading: 5 }, false, true],
  ['one is shown and others are loading', { shown: 1, loading: 9 }, true, true],
  ['most failed and none is loading', { shown: 1, failed: 9 }, true, false],
  ['the server has none here', { missing: 9 }, true, false],
  ['some are missing', { shown: 7, missing: 2 }, false, true],
] as const)('tiles replace the drawn map correctly if %s', (_, counts, before, tiled) => {
  expect(isTiled({ ...none, ...counts }, before)).toBe(tiled);
});
