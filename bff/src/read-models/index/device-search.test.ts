import { expect, test } from 'vitest';
import type { AudienceRows } from './audience-rows.store.ts';
import type { IndexRow } from './index-row.store.ts';
import { createDeviceSearch } from './device-search.ts';
import { createDeviceTable } from './device-table.ts';
import { createTextColumn } from './text-column.ts';

const rowOf = (ref: number, name: string): IndexRow => [
  ...([ref, 'pc', null, null, '', '', null] as const),
  ...([`d${ref}`, 'ann', name, name, null, null, null, 0, 0] as const),
];

/** A table with a search for `x`. In the database, it is in the names of `found`. */
function searchOf(options: { mostBytes: number; found: number[] }) {
  const table = createDeviceTable();
  const texts = createTextColumn(options);
  const rows: AudienceRows = {
    async *chunks() {
      for (const ref of options.found) yield { rows: [rowOf(ref, 'x')], count: 1 };
    },
    byRefs: async () => [],
    heard: async () => [],
    values: async () => [],
    readable: async () => new Map(),
    valueCursor: async () => 0,
    count: async () => options.found.length,
  };
  const search = createDeviceSearch({
    table,
    texts,
    rows,
    q: 'x',
    name: 's',
    audience: 'own',
    actionRefs: undefined,
  });
  function put(ref: number, name: string) {
    const slot = table.put({
      ref,
      machine_type: 'pc',
      resource_type: null,
      presence: 'never',
      swarms: '',
      longitude: null,
      latitude: null,
      changedAt: 0,
      createdAt: 0,
      memberSince: 0,
      heardAt: 0,
    });
    const device = { id: `d${ref}`, name, description: null, owner: null };
    texts.put(slot, device);
    search.put(slot, device, undefined);
  }
  const refsOf = () => [...table.columns.ref].filter((_, slot) => search.has(slot)).toSorted((a, b) => a - b);
  return { put, refsOf, search };
}

test('the texts in memory are searched, and changes after it', async () => {
  const { put, refsOf, search } = searchOf({ mostBytes: 1000, found: [2] });
  put(1, 'x');
  put(2, 'y');
  for await (const _ of search.find());
  expect(refsOf()).toEqual([1]);
  put(1, 'y');
  put(3, 'xy');
  expect(refsOf()).toEqual([3]);
});

test('rows are read again if the texts are too large, and a device that changes meanwhile is not overwritten', async () => {
  const { put, refsOf, search } = searchOf({ mostBytes: 0, found: [1, 2] });
  for (const ref of [1, 2, 3]) put(ref, 'y');
  for await (const _ of search.find()) put(2, 'y');
  expect(refsOf()).toEqual([1]);
  put(3, 'x');
  put(1, 'y');
  expect(refsOf()).toEqual([3]);
});
