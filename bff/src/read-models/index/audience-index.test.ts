import { expect, test } from 'vitest';
import type { AudienceRows } from './audience-rows.store.ts';
import type { IndexRow } from './index-row.store.ts';
import { createAudienceIndex, type AudienceIndex } from './audience-index.ts';

const noon = '2026-03-04T12:00:00.000Z';
const rowOf = (ref: number, latitude = 0): IndexRow => [
  ...([ref, 'pc', ref % 180, latitude, noon, noon, null] as const),
  ...([`id${ref}`, 'ann', 'n', 'n', null, null, null, 0, 0] as const),
];

/** Rows that change while they are read. */
function table(size: number) {
  const rows = new Map(Array.from({ length: size }, (_, index) => [index + 1, rowOf(index + 1)]));
  const source: AudienceRows = {
    async *chunks() {
      const refs = [...rows.keys()];
      for (let from = 0; from < refs.length; from += 1000) {
        const some = refs.slice(from, from + 1000);
        yield { rows: some.map((ref) => rows.get(ref)).filter((row) => row !== undefined), count: some.length };
      }
    },
    byRefs: async (refs) => refs.map((ref) => rows.get(ref)).filter((row) => row !== undefined),
    heard: async () => [],
    values: async () => [],
    readable: async () => new Map(),
    valueCursor: async () => 0,
    count: async () => size,
  };
  return { rows, source };
}
const hold = (source: AudienceRows) => createAudienceIndex({ rows: source, audience: 'own', name: 'i' });
const refsOf = ({ table: { columns, end } }: AudienceIndex) =>
  [...columns.ref.subarray(0, end)].filter((ref) => ref !== 0).toSorted((a, b) => a - b);

test('an index contains the changes that happen while it is built', async () => {
  const { rows, source } = table(5000);
  const held = hold(source);
  let step = 0;
  for await (const _ of held.build()) {
    step += 1;
    expect(held.building).toBeLessThan(1);
    // A row that was read already, one that was not, and a new one.
    for (const gone of [step, 5000 - step]) {
      rows.delete(gone);
      held.changed([gone]);
    }
    rows.set(9000 + step, rowOf(9000 + step));
    held.changed([9000 + step]);
  }
  expect(step).toBeGreaterThan(5);
  expect(held.building).toBeUndefined();
  expect(refsOf(held)).toEqual([...rows.keys()].toSorted((a, b) => a - b));
});

test('the version changes only with the content', async () => {
  const { rows, source } = table(10);
  const held = hold(source);
  for await (const _ of held.build());
  const seen = [held.version];
  held.changed([3]);
  held.changed([99]);
  await held.refresh();
  expect(held.version).toBe(seen[0]);
  rows.set(3, rowOf(3, 1));
  held.changed([3]);
  await held.refresh();
  seen.push(held.version);
  rows.delete(4);
  held.changed([4]);
  await held.refresh();
  seen.push(held.version);
  expect(new Set(seen).size).toBe(3);
});

test('a failed build rejects the ready promise', async () => {
  const failing: AudienceRows = {
    ...table(1).source,
    chunks() {
      throw new Error('no such table');
    },
  };
  const held = hold(failing);
  for await (const _ of held.build());
  await expect(held.ready).rejects.toThrow('no such table');
});
