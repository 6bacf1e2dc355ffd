import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeviceSort } from '../../contract.ts';
import { createDeviceTable } from './device-table.ts';
import { pageOf, type PageStart } from './device-page.ts';
import { filterDevices } from './device-filter.ts';
import { compareTexts, createSortedTextIndex } from './sorted-text-index.ts';

interface Row {
  ref: number;
  name: string;
  changed: number;
}

/** So that nearer ones have changed earlier. Those of the future have no position. */
const longitudeOf = (changed: number) => (changed > 1e6 ? null : changed / 1e4);
/** Beside the first positions. */
const near = { latitude: 0, longitude: -1 };

/** `found`: the result of a search, if there is one. */
function tableOf(rows: readonly Row[], found?: { has(slot: number): boolean }) {
  const table = createDeviceTable();
  const orders = { names: createSortedTextIndex(table), owners: createSortedTextIndex(table) };
  const put = ({ ref, name, changed }: Row) => {
    const slot = table.put({
      ref,
      machine_type: 'pc',
      resource_type: null,
      presence: 'online',
      swarms: '',
      longitude: longitudeOf(changed),
      latitude: longitudeOf(changed) && 0,
      changedAt: changed,
      createdAt: 0,
      memberSince: -changed,
      heardAt: -changed,
    });
    orders.names.put(slot, name);
    orders.owners.put(slot, 'ann');
  };
  const remove = (ref: number) => {
    const slot = table.remove(ref);
    if (slot !== undefined) orders.names.remove(slot);
    if (slot !== undefined) orders.owners.remove(slot);
  };
  rows.forEach(put);
  const filters = { audience: 'own' };
  const page = (start: Omit<PageStart, 'near'>) =>
    pageOf({
      table,
      orders,
      selection: filterDevices({ table, filters, known: new Map(), found }),
      start: { ...start, near },
      numberAt: (slot) => table.columns.changedAt[slot]!,
    });
  return { orders, put, remove, page };
}

const byName = (a: Row, b: Row) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || a.ref - b.ref;
const compare: Record<DeviceSort, (a: Row, b: Row) => number> = {
  name: byName,
  '-changed': (a, b) => b.changed - a.changed || b.ref - a.ref,
  '-created': (a, b) => b.ref - a.ref,
  '-heard': (a, b) => a.changed - b.changed || b.ref - a.ref,
  near: (a, b) => a.changed - b.changed || b.ref - a.ref,
  value: (a, b) => a.changed - b.changed || b.ref - a.ref,
  '-value': (a, b) => b.changed - a.changed || b.ref - a.ref,
  owner: (a, b) => a.ref - b.ref,
  '-joined': (a, b) => a.changed - b.changed || b.ref - a.ref,
};
const sorts = Object.keys(compare) as DeviceSort[];
const name = fc.string({ unit: fc.constantFrom('a', 'b', '\uffee', '🛰', '1'), maxLength: 3 });
// Some times are common, and some are far from all others.
const changed = fc.oneof(fc.constantFrom(5, 1e12), fc.nat({ max: 1e6 }));
const rowsOf = (options: fc.ArrayConstraints) =>
  fc
    .array(fc.record({ name, changed }), options)
    .map((rows) => rows.map((row, index): Row => ({ ref: index + 1, ...row })));

test('texts are compared as bytes of UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareTexts(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});

test('pages have all rows in order, by cursor, by row number and around a device', () => {
  fc.assert(
    fc.property(
      rowsOf({ minLength: 1, maxLength: 60 }),
      fc.constantFrom(...sorts),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(undefined, { has: () => true }),
      (rows, sort, limit, found) => {
        const { page } = tableOf(rows, found);
        const expected = rows.toSorted(compare[sort]).map(({ ref }) => ref);
        const seen: number[] = [];
        for (let next = page({ sort, limit }); ; next = page({ sort, limit, cursor: next.next })) {
          seen.push(...next.refs);
          expect(next.refs.length).toBeLessThanOrEqual(limit);
          if (!next.next) break;
        }
        expect(seen).toEqual(expected);
        for (const [place, ref] of expected.entries()) {
          expect(page({ sort, limit, offset: place }).refs).toEqual(expected.slice(place, place + limit));
          const first = Math.max(0, place - Math.floor(limit / 2));
          expect(page({ sort, limit, around: ref })).toMatchObject({
            refs: expected.slice(first, first + limit),
            offset: first,
          });
        }
        expect(page({ sort, limit, offset: rows.length }).refs).toEqual([]);
        expect(page({ sort, limit, around: 999 })).toMatchObject({ refs: expected.slice(0, limit), offset: 0 });
      },
    ),
  );
});

test('a page of many devices is found with skewed times', () => {
  fc.assert(
    fc.property(
      rowsOf({ minLength: 5000, maxLength: 6000, size: 'max' }),
      fc.constantFrom(...sorts),
      fc.nat({ max: 6000 }),
      (rows, sort, offset) => {
        const expected = rows.toSorted(compare[sort]).map(({ ref }) => ref);
        expect(tableOf(rows).page({ sort, limit: 1000, offset }).refs).toEqual(expected.slice(offset, offset + 1000));
      },
    ),
    { numRuns: 10 },
  );
});

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: fc.record({ ref: fc.integer({ min: 1, max: 60 }), name, changed }) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 1, arbitrary: fc.constant('list' as const) },
  { weight: 1, arbitrary: fc.constant('sort a little' as const) },
);

test('the order by name is correct after changes, also of those while it is sorted in slices', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 150, size: 'max' }), async (changes) => {
      const { orders, page, put, remove } = tableOf([]);
      const rows = new Map<number, Row>();
      let suspended: Generator<void, void> | undefined;
      let finish = () => {};
      const listed = () =>
        expect(page({ sort: 'name', limit: 100 }).refs).toEqual(
          [...rows.values()].toSorted(byName).map(({ ref }) => ref),
        );
      for (const each of changes) {
        if (each === 'list') listed();
        else if (each === 'sort a little') {
          if (suspended?.next().done) {
            finish();
            suspended = undefined;
          }
          // `finally` of the run that is shared.
          await Promise.resolve().then(() => {});
          await new Promise(setImmediate);
          if (!suspended) {
            void orders.names.sort((work) => {
              suspended = work;
              return new Promise((resolve) => (finish = resolve));
            });
          }
        } else if ('put' in each) {
          rows.set(each.put.ref, each.put);
          put(each.put);
        } else {
          rows.delete(each.remove);
          remove(each.remove);
        }
      }
      for (const _ of suspended ?? []);
      listed();
    }),
  );
});
