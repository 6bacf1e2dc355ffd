import type { Device } from '@swarmdeck/bff/contract';
import { expect, test } from 'vitest';
import { rowsOf } from '../../../data/cache/paged-rows.ts';
import { rowBeside } from './use-selected-device.ts';

const rows = rowsOf([{ items: ['a', 'b', 'c'].map((id) => ({ id }) as Device) }]);
const from = (id: string | null, by: 1 | -1, more: { around?: string; isChanging?: boolean; isOld?: boolean } = {}) => {
  const { around, isChanging = false, isOld = false } = more;
  const start = around === undefined ? null : { around };
  const next = rowBeside({ list: { rows, scroll: { start }, status: { isChanging, isOld } }, id, by });
  return typeof next === 'object' ? next.id : next;
};

test('a step leads to the next or the previous row, and to none at the ends', () => {
  expect([from('b', 1), from('b', -1), from('c', 1), from('a', -1)]).toEqual(['c', 'a', undefined, undefined]);
});

test('without a selected device, a step leads to the first row', () => {
  expect([from(null, 1), from(null, -1)]).toEqual(['a', 'a']);
});

test('a step from a device that is not loaded waits for the rows around it', () => {
  expect(from('z', 1)).toBe('wait');
  expect(from('z', 1, { around: 'y' })).toBe('wait');
  // The rows are those of the list before.
  expect(from('z', 1, { around: 'z', isChanging: true })).toBe('wait');
  expect(from('z', 1, { around: 'z', isOld: true })).toBe('wait');
});

test('a step from a device that the filters hide leads to the first row', () => {
  expect(from('z', -1, { around: 'z' })).toBe('a');
});
