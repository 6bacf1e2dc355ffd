import { expect, it } from 'vitest';
import { draftChanges, toDraft } from './device-form.ts';
import type { DeviceValues } from './device-merge.ts';
import { rebase } from './device-rebase.ts';

const base: DeviceValues = {
  name: 'Sensor',
  machine_type: 'bug',
  description: undefined,
  position: { latitude: 1, longitude: 2 },
};
const moved: DeviceValues = { ...base, position: { latitude: 5, longitude: 6 } };

it('follows quietly where nothing was typed', () => {
  expect(rebase({ base, draft: toDraft(base), theirs: moved })).toEqual(toDraft(moved));
});

it('keeps what was typed beside what moved', () => {
  const draft = { ...toDraft(base), name: 'Renamed', description: '' };
  const next = rebase({ base, draft, theirs: moved });
  expect(next).toEqual({ ...toDraft(moved), name: 'Renamed' });
  expect(draftChanges({ base: moved, draft: next! })).toEqual(['name']);
});

it('keeps its ground when both changed one field, also while it is half typed', () => {
  expect(rebase({ base, draft: { ...toDraft(base), latitude: '1.5' }, theirs: moved })).toBeNull();
  expect(rebase({ base, draft: { ...toDraft(base), longitude: '' }, theirs: moved })).toBeNull();
});

it('has nothing left to save when they made the same change', () => {
  const next = rebase({ base, draft: { ...toDraft(base), latitude: '5', longitude: '6' }, theirs: moved });
  expect(draftChanges({ base: moved, draft: next! })).toEqual([]);
});
