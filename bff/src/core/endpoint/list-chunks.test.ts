import { expect, test } from 'vitest';
import { bytesChunkOf, inJson, textChunkOf, textChunksOf, textChunkSizes, textOf, type Key } from './list-chunks.ts';

const { first, next } = textChunkSizes;

test.each([0, 1, first - 1, first, first + 1, first + next - 1, first + next, first + next + 1])(
  'a list of %s is complete and in order, whatever chunks it is read in',
  async (length) => {
    const all = Array.from({ length }, (_, id) => ({ id: String(id).padStart(5, '0') }));
    const reads: number[] = [];
    const read = (after: Key, size: number) => {
      const rows = all.filter(({ id }) => id > String(after[1])).slice(0, size);
      reads.push(rows.length);
      return rows;
    };
    const format = inJson<{ id: string }>(
      ({ id }) => ['', id],
      (row) => row,
    );
    const parts = textChunksOf({
      first: async () => textChunkOf(read(['', ''], first), format),
      next: async (after) => bytesChunkOf(read(after, next), format),
    });
    expect(JSON.parse(`[${await textOf(parts)}]`)).toEqual(all);
    expect(reads.length).toBeLessThan(length / next + 3);
  },
);
