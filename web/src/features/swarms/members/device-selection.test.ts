import { expect, test } from 'vitest';
import { allSelected, countSelected, isSelected, noneSelected, toggleSelected } from './device-selection.ts';

test('single devices are selected and deselected', () => {
  const one = toggleSelected(noneSelected, 'a');
  expect([isSelected(one, 'a'), isSelected(one, 'b'), countSelected(one, 9000)]).toEqual([true, false, 1]);
  expect(toggleSelected(one, 'a')).toEqual(noneSelected);
});

test('select all works without the ids, and single devices can be excluded', () => {
  const butOne = toggleSelected(allSelected, 'a');
  expect([isSelected(allSelected, 'a'), countSelected(allSelected, 9000)]).toEqual([true, 9000]);
  expect([isSelected(butOne, 'a'), isSelected(butOne, 'b'), countSelected(butOne, 9000)]).toEqual([false, true, 8999]);
  expect(toggleSelected(butOne, 'a')).toEqual(allSelected);
});
