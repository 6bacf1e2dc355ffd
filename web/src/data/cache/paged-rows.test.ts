import { expect, test } from 'vitest';
import { indexesOf, rowsOf } from './paged-rows.ts';

const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) });
const idsAt = (rows: ReturnType<typeof rowsOf>) => Array.from({ length: rows.length }, (_, row) => rows.at(row)?.id);

test('rows are in the order of the pages, even if a page is empty', () => {
  const rows = rowsOf([page('a', 'b'), page(), page('c'), page('d', 'e')]);
  expect(idsAt(rows)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(rows.all().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(idsAt(rowsOf([]))).toEqual([]);
});

test('a row and its index are found by id', () => {
  const rows = rowsOf([page('a', 'b'), page('c')]);
  expect([rows.indexOf('c'), rows.get('c')?.id]).toEqual([2, 'c']);
  expect([rows.indexOf('x'), rows.get('x')]).toEqual([-1, undefined]);
});

test('there is no row beyond the ends', () => {
  const rows = rowsOf([page('a', 'b')]);
  expect([rows.at(2), rows.at(-1)]).toEqual([undefined, undefined]);
});

test('the indexes of a page are computed once', () => {
  const one = page('a', 'b');
  expect([...indexesOf(one)]).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  expect(indexesOf(one)).toBe(indexesOf(one));
});
