import { expect, test } from 'vitest';
import { createAudienceIndex } from './audience-index.ts';
import type { AudienceRows, IndexRow } from './audience-rows.store.ts';
import { createBuilds } from './builds.ts';
import { deviceKindsOf } from './device-kinds.ts';
import { createHeldIndex } from './held-index.ts';
import type { HeldIndex } from './held-index.ts';

const rowOf = (ref: number, latitude = 0): IndexRow => [ref, 'pc', ref % 180, latitude, '2026-03-04T12:00:00.000Z', 1];

/** Rows that change while they are read. */
function table(size: number) {
  const rows = new Map(Array.from({ length: size }, (_, index) => [index + 1, rowOf(index + 1)]));
  const source: AudienceRows = {
    *chunks() {
      const refs = [...rows.keys()];
      for (let from = 0; from < refs.length; from += 1000) {
        const some = refs.slice(from, from + 1000);
        yield { rows: some.map((ref) => rows.get(ref)).filter((row) => row !== undefined), of: some.length };
      }
    },
    *refs() {
      for (const chunk of source.chunks()) yield { ...chunk, rows: chunk.rows.map(([ref]) => [ref] as const) };
    },
    these: (refs) => refs.map((ref) => rows.get(ref)).filter((row) => row !== undefined),
    count: () => size,
  };
  return { rows, source };
}
const hold = (source: AudienceRows) => createHeldIndex({ rows: source, kinds: deviceKindsOf('own'), name: 'i' });
const refsOf = ({ index }: HeldIndex) => {
  const refs: number[] = [];
  index.each(({ ref }) => refs.push(ref));
  return refs.toSorted((a, b) => a - b);
};

test('what changes while an index is built is in it as it is at the end', () => {
  const { rows, source } = table(5000);
  const held = hold(source);
  let step = 0;
  for (const _ of held.build()) {
    step += 1;
    expect(held.building).toBeLessThan(1);
    // behind the reader, before it, and new
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

test('an index that is built out of another has what it would have read by itself', () => {
  const all = table(5000);
  const base = hold(all.source);
  for (const _ of base.build());
  const even: AudienceRows = {
    ...all.source,
    *refs() {
      for (const { rows, of } of all.source.refs()) yield { rows: rows.filter(([ref]) => ref % 2 === 0), of };
    },
    these: (refs) => all.source.these(refs.filter((ref) => ref % 2 === 0)),
  };
  const held = createHeldIndex({ rows: even, kinds: deviceKindsOf('own'), name: 'i', among: base });
  const change = (ref: number, row: IndexRow | undefined, isTold: boolean) => {
    if (row) all.rows.set(ref, row);
    else all.rows.delete(ref);
    for (const each of isTold ? [base, held] : []) each.changed([ref]);
  };
  change(6000, rowOf(6000), false);
  for (const _ of held.build()) {
    change(4000, rowOf(4000, 20), true);
    change(4998, undefined, true);
    change(6001, rowOf(6001), true);
  }
  for (const each of [base, held]) each.changed([6000]);
  expect(refsOf(held)).toEqual([...all.rows.keys()].filter((ref) => ref % 2 === 0).toSorted((a, b) => a - b));
  for (const ref of refsOf(held)) expect(held.index.get(ref)).toEqual(base.index.get(ref));
  expect(held.index.get(4000)).toMatchObject({ latitude: 20 });
});

test('a version is another one after what makes a difference, and only then', () => {
  const { rows, source } = table(10);
  const held = hold(source);
  for (const _ of held.build());
  const seen = [held.version];
  held.changed([3]);
  held.changed([99]);
  expect(held.version).toBe(seen[0]);
  rows.set(3, rowOf(3, 1));
  held.changed([3]);
  seen.push(held.version);
  rows.delete(4);
  held.changed([4]);
  seen.push(held.version);
  expect(new Set(seen).size).toBe(3);
});

test('an index that cannot be read says so to whoever waits for it', async () => {
  const failing: AudienceRows = {
    ...table(1).source,
    chunks() {
      throw new Error('no such table');
    },
  };
  const held = hold(failing);
  for (const _ of held.build());
  await expect(held.ready).rejects.toThrow('no such table');
});

test('a small index does not wait for a large one, and one that nobody wants is not built to its end', async () => {
  const { start } = createBuilds();
  const [large, small, unwanted] = [hold(table(100_000).source), hold(table(10).source), hold(table(100_000).source)];
  start(large, () => true);
  start(unwanted, () => false);
  start(small, () => true);
  await Promise.all([small.ready, unwanted.ready]);
  expect(large.building).toBeLessThan(1);
  expect(unwanted.building).toBe(0);
  await large.ready;
  expect(large.index.size).toBe(100_000);
});

test('eight searches are kept beside the whole audience, the last ones', () => {
  const made: string[] = [];
  const audience = createAudienceIndex({
    audience: 'own',
    user: 'ann',
    rowsOf({ filters }) {
      made.push(filters.q ?? 'all');
      return table(3).source;
    },
    start(held) {
      for (const _ of held.build());
    },
    newName: () => `${made.length}`,
  });
  const search = (q: string) => audience.of({ user: 'ann', filters: { q } });
  for (let each = 0; each < 8; each++) search(`q${each}`);
  search('q0');
  expect(made).toHaveLength(9);
  search('q8');
  search('q0');
  expect(made).toHaveLength(10);
  search('q1');
  expect(made).toHaveLength(11);
  expect(audience.size).toBe(27);
  expect(audience.of({ user: 'ann', filters: { swarm: 'none' } })).toBe(audience.of({ user: 'ann', filters: {} }));
});
