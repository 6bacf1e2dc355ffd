import { expect, test } from 'vitest';
import { texts as de } from './de/index.ts';
import { texts as en } from './en/index.ts';

/** All sentences, with a number in those that need one. `role_words`: what users may type. */
function sentencesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return sentencesIn((value as (...numbers: number[]) => unknown)(2, 2, 2));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'role_words' ? [] : sentencesIn(inner)));
}

test.each([
  ['en', en],
  ['de', de],
])('a device sends or receives: no text has another word for its role (%s)', (_lang, texts) => {
  const sentences = sentencesIn(texts);
  expect(sentences.length).toBeGreaterThan(2000);
  expect(sentences.filter((text) => /producer|consumer|produzent|konsument|erzeuger|verbraucher/iu.test(text))).toEqual(
    [],
  );
});
