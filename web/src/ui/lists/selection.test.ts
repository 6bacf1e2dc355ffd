import { expect, test } from 'vitest';
import { allSelected, countSelected, isSelected, noSelection, selectIds, toggle, toggleRange } from './selection.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort();

test('a row is selected and deselected', () => {
  const one = toggle(noSelection, 'b');
  expect(ids(one)).toEqual(['b']);
  expect([isSelected(one, 'b'), isSelected(one, 'a'), countSelected(one, 9000)]).toEqual([true, false, 1]);
  expect(ids(toggle(one, 'b'))).toEqual([]);
});

test('a range starts at the row that was selected last and goes in both directions', () => {
  expect(ids(toggleRange(toggle(noSelection, 'b'), 'd', order))).toEqual(['b', 'c', 'd']);
  expect(ids(toggleRange(toggle(noSelection, 'd'), 'b', order))).toEqual(['b', 'c', 'd']);
});

test('a range that ends on a selected row deselects its rows', () => {
  const all = { ...selectIds(order), anchor: 'b' };
  expect(ids(toggleRange(all, 'd', order))).toEqual(['a', 'e']);
});

test('without an anchor, or with one that was removed, a range is one row', () => {
  expect(ids(toggleRange(noSelection, 'c', order))).toEqual(['c']);
  expect(ids(toggleRange(toggle(noSelection, 'removed'), 'c', order))).toEqual(['c', 'removed']);
});

test('all 9,000 rows are selected without their ids, and single ones are excluded again', () => {
  const butOne = toggle(allSelected, 'a');
  expect([isSelected(allSelected, 'a'), countSelected(allSelected, 9000)]).toEqual([true, 9000]);
  expect([isSelected(butOne, 'a'), isSelected(butOne, 'b'), countSelected(butOne, 9000)]).toEqual([false, true, 8999]);
  expect(isSelected(toggle(butOne, 'a'), 'a')).toBe(true);
});

test('if all rows are selected, a range that ends on a selected row excludes its rows', () => {
  const some = toggleRange({ ...allSelected, anchor: 'b' }, 'd', order);
  expect(order.filter((id) => isSelected(some, id))).toEqual(['a', 'e']);
  const again = toggleRange({ ...some, anchor: 'c' }, 'd', order);
  expect(order.filter((id) => isSelected(again, id))).toEqual(['a', 'c', 'd', 'e']);
});
