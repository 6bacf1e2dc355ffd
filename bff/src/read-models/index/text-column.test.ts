import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextColumn, matchesWords, type SearchedTexts } from './text-column.ts';

const slot = fc.nat({ max: 200 });
const text = fc.string({ unit: fc.constantFrom(...'ab1\n\rö🛰 '), maxLength: 5 });
const device = fc.record({
  id: fc.constantFrom('019a7c51-0000-7000-8000-00000000000a', '019a7c52-0000-7000-8000-00000000000b', 'd1'),
  name: text,
  description: fc.option(text),
  owner: fc.option(fc.constantFrom('a', 'b1')),
});
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ put: device, slot }) },
  { weight: 2, arbitrary: fc.record({ remove: slot }) },
  {
    weight: 1,
    arbitrary: fc.record({ find: fc.constantFrom('a', 'ab', 'ö', '🛰', '1', '019a7c51', '019a7c5200', '9a7c5100') }),
  },
);

function slotsOf(column: ReturnType<typeof createTextColumn>, word: string): number[] {
  const slots = new Set<number>();
  for (const _ of column.find(word, (each) => slots.add(each)));
  return [...slots].toSorted((a, b) => a - b);
}

test('a search finds the slots whose texts match', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const column = createTextColumn({ mostBytes: 1e6 });
      const expected = new Map<number, SearchedTexts>();
      for (const each of steps) {
        if ('put' in each) {
          column.put(each.slot, each.put);
          expected.set(each.slot, each.put);
        } else if ('remove' in each) {
          column.remove(each.remove);
          expected.delete(each.remove);
        } else {
          const matching = [...expected].filter(([, device]) => matchesWords(device, [each.find]));
          expect(slotsOf(column, each.find)).toEqual(matching.map(([at]) => at).toSorted((a, b) => a - b));
        }
      }
    }),
  );
});

test('a word matches one text or the beginning of the id, and all words must match', () => {
  const device = { id: '019a7c51-0000-7000-8000-00000000000a', name: 'ab', description: 'cd\ne', owner: 'f' };
  const matches = (...words: string[]) => matchesWords(device, words);
  expect([matches('ab', 'd'), matches('019a7c51', 'a'), matches('019a7c5100007'), matches('f')]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([matches('bc'), matches('de'), matches('ab', 'x')]).toEqual([false, false, false]);
  expect([matches('a7c51000'), matches('019')]).toEqual([false, false]);
});

test('too many texts are not stored', () => {
  const column = createTextColumn({ mostBytes: 1000 });
  const put = (at: number, name: string) => column.put(at, { id: 'd', name, description: null, owner: null });
  put(0, 'a'.repeat(500));
  put(0, 'a'.repeat(900));
  expect([column.isStored, column.bytes > 900]).toEqual([true, true]);
  put(1, 'ö'.repeat(90));
  expect(column.isStored).toBe(true);
  put(2, '🛰'.repeat(99));
  expect([column.isStored, column.bytes < 900, slotsOf(column, 'a')]).toEqual([false, true, []]);
  column.remove(0);
  put(3, 'a');
  expect(slotsOf(column, 'a')).toEqual([]);
});
