import { expect, test } from 'vitest';
import { textChunkOf, textChunksOf, textChunkSizes, textOf, type Key } from './list-chunks.store.ts';

const { first, next } = textChunkSizes;

test.each([0, 1, first - 1, first, first + 1, first + next - 1, first + next, first + next + 1])(
  'a list of %s is complete and in order, whatever chunks it is read in',
  async (length) => {
    const all = Array.from({ length }, (_, id) => ({ id: String(id).padStart(5, '0') }));
    const reads: number[] = [];
    const read = async (after: Key, size: number) => {
      const rows = all.filter(({ id }) => id > String(after[1])).slice(0, size);
      reads.push(rows.length);
      return textChunkOf(rows, { keyOf: ({ id }) => ['', id], recordOf: (row) => row });
    };
    const parts = textChunksOf({ first: () => read(['', ''], first), next: (after) => read(after, next) });
    expect(JSON.parse(`[${await textOf(parts)}]`)).toEqual(all);
    expect(reads.length).toBeLessThan(length / next + 3);
  },
);
