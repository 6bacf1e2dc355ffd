import { afterEach, expect, test } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { countLabel } from './scene.draw.ts';

afterEach(() => loadTexts('en'));

test('counts from 10,000 on are short, in the language of the user', async () => {
  const counts = [9_999, 12_345, 999_949, 999_950, 1_250_000];
  expect(counts.map(countLabel)).toEqual(['9,999', '12.3K', '999.9K', '1M', '1.3M']);
  await loadTexts('de');
  expect(counts.map(countLabel)).toEqual(['9.999', '12,3k', '999,9k', '1 Mio.', '1,3 Mio.']);
});
