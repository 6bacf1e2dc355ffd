import { expect, test } from 'vitest';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { rowsOf } from '../../../data/cache/paged-rows.ts';
import { heldAfter, withHeld } from './held-rows.ts';

const items = ['a', 'b', 'c', 'd', 'e'].map((id, at) => itemOf(id, 59 - at));
const without = (...ids: string[]) => items.filter(({ id }) => !ids.includes(id));
const idsOf = (rows: Iterable<{ id: string }>) => [...rows].map(({ id }) => id);
const before = { held: new Map(), shown: rowsOf([pageOf(items)]), hasMore: false, view: { start: 1, end: 3 } };

test('a row in view that has left the list keeps its place; one out of view does not', () => {
  const pages = [pageOf(without('b', 'e'))];
  const held = heldAfter({ ...before, rows: rowsOf(pages) });
  expect(idsOf(held.values())).toEqual(['b']);
  expect(idsOf(rowsOf(withHeld(pages, held)).all())).toEqual(['a', 'b', 'c', 'd']);
});

test('held rows stay while others leave, also if no open row is left', () => {
  const held = heldAfter({ ...before, rows: rowsOf([pageOf(without('b'))]) });
  const pages = [pageOf([])];
  const next = heldAfter({ ...before, held, rows: rowsOf(pages) });
  expect(idsOf(rowsOf(withHeld(pages, next)).all())).toEqual(['b', 'c']);
});

test('held rows are in the page of their neighbours', () => {
  const pages = [pageOf(without('b', 'c', 'd', 'e'), 'more'), pageOf(without('a', 'b'))];
  expect(withHeld(pages, new Map([['b', items[1]!]])).map((page) => idsOf(page.items))).toEqual([
    ['a'],
    ['b', 'c', 'd', 'e'],
  ]);
});

test('a row that is open again or that is not loaded any more is not held', () => {
  const rows = rowsOf([pageOf(without('b'))]);
  const held = heldAfter({ ...before, rows });
  expect(heldAfter({ ...before, held, rows: before.shown }).size).toBe(0);
  const first = rowsOf([pageOf(without('b', 'c', 'd', 'e'), 'more')]);
  expect(heldAfter({ ...before, rows: first, hasMore: true }).size).toBe(0);
});
