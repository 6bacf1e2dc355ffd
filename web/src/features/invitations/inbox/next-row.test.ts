import { expect, test } from 'vitest';
import { rowsOf } from '../../../data/cache/paged-rows.ts';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { rowAfterAnswer } from './use-inbox-answers.ts';
import { rowAfterStep } from './use-inbox-steps.ts';

const rows = (...ids: string[]) => rowsOf([pageOf(ids.map((id, at) => itemOf(id, 59 - at)))]);
const open = rows('a', 'b', 'c');
const inbox = { rows: rows('a', 'b', 'c', 'x', 'y'), open: 3, more: false };
const idle = () => false;

test('after an answer the next row is selected, or the previous one at the end', () => {
  expect(rowAfterAnswer({ rows: open, id: 'a', isBusy: idle })).toBe('b');
  expect(rowAfterAnswer({ rows: open, id: 'c', isBusy: idle })).toBe('b');
  expect(rowAfterAnswer({ rows: rows('a'), id: 'a', isBusy: idle })).toBeNull();
});

test('rows with a pending answer are skipped', () => {
  expect(rowAfterAnswer({ rows: open, id: 'a', isBusy: (id) => id === 'b' })).toBe('c');
  expect(rowAfterAnswer({ rows: open, id: 'b', isBusy: (id) => id === 'c' })).toBe('a');
});

test('arrow keys move between open invitations and history, and stop at the ends', () => {
  expect(rowAfterStep({ ...inbox, id: 'c', by: 1 })).toBe('x');
  expect(rowAfterStep({ ...inbox, id: 'x', by: -1 })).toBe('c');
  expect(rowAfterStep({ ...inbox, id: 'y', by: 1 })).toBe('y');
  expect(rowAfterStep({ ...inbox, id: 'b', by: -Infinity })).toBe('a');
  expect(rowAfterStep({ ...inbox, id: null, by: 1 })).toBe('a');
  expect(rowAfterStep({ rows: rows(), open: 0, more: false, id: null, by: 1 })).toBeNull();
});

test('a step stops at the last loaded open row while more rows are loading', () => {
  expect(rowAfterStep({ ...inbox, id: 'b', by: 1, more: true })).toBe('c');
  expect(rowAfterStep({ ...inbox, id: 'c', by: 8, more: true })).toBe('c');
  expect(rowAfterStep({ ...inbox, id: 'x', by: 1, more: true })).toBe('y');
  expect(rowAfterStep({ ...inbox, id: 'x', by: -1, more: true })).toBe('c');
});
