import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipOf, gzipPart, noSums, type GzipPart } from './gzip-parts.ts';

test.each([[['']], [['a']], [['', 'a', '']], [['x'.repeat(100_000), 'grün'.repeat(1000), '']]])(
  'parts are one text (%#)',
  (texts) => {
    const parts: GzipPart[] = [];
    for (const text of texts) parts.push(gzipPart(Buffer.from(text), parts.at(-1)?.sums ?? noSums));
    expect(gunzipSync(gzipOf(parts)).toString()).toBe(texts.join(''));
  },
);
