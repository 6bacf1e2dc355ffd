import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { expect, it } from 'vitest';
import { rowsOf } from './device-rows.ts';

const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id }) as Device) }) as DevicePage;
const ids = (pages: DevicePage[]) => {
  const rows = rowsOf(pages);
  return Array.from({ length: rows.length }, (_, row) => rows.at(row)?.id);
};

it('are in the order of the pages, also where a page has lost a row or all', () => {
  expect(ids([page('a', 'b'), page(), page('c'), page('d', 'e')])).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(ids([])).toEqual([]);
});

it('are found by id, with their place', () => {
  const rows = rowsOf([page('a', 'b'), page('c')]);
  expect([rows.indexOf('c'), rows.get('c')?.id]).toEqual([2, 'c']);
  expect([rows.indexOf('x'), rows.get('x')]).toEqual([-1, undefined]);
});

it('end where they end', () => {
  const rows = rowsOf([page('a', 'b')]);
  expect([rows.at(2), rows.at(-1)]).toEqual([undefined, undefined]);
});
