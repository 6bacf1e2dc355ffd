import { expect, test } from 'vitest';
import { noSelection, selectAll, toggle, toggleRange } from './selection.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort();

test('a row is selected and deselected', () => {
  const ticked = toggle(noSelection, 'b');
  expect(ids(ticked)).toEqual(['b']);
  expect(ids(toggle(ticked, 'b'))).toEqual([]);
});

test('a range starts at the row that was selected last, in both directions', () => {
  expect(ids(toggleRange(toggle(noSelection, 'b'), 'd', order))).toEqual(['b', 'c', 'd']);
  expect(ids(toggleRange(toggle(noSelection, 'd'), 'b', order))).toEqual(['b', 'c', 'd']);
});

test('a range that ends on a selected row is deselected', () => {
  const all = { ...selectAll(order), anchor: 'b' };
  expect(ids(toggleRange(all, 'd', order))).toEqual(['a', 'e']);
});

test('a range without an existing anchor is one row', () => {
  expect(ids(toggleRange(noSelection, 'c', order))).toEqual(['c']);
  expect(ids(toggleRange(toggle(noSelection, 'gone'), 'c', order))).toEqual(['c', 'gone']);
});
