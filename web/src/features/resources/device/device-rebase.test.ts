import { expect, it } from 'vitest';
import { draftChanges, draftValues, toDraft } from '../form/device-form.ts';
import { merge } from '../form/device-merge.ts';
import type { DeviceValues } from '../form/device-merge.ts';
import { rebase } from './device-rebase.ts';

const base: DeviceValues = {
  name: 'Sensor',
  machine_type: 'bug',
  description: undefined,
  position: { latitude: 1, longitude: 2 },
};
const moved: DeviceValues = { ...base, position: { latitude: 5, longitude: 6 } };

it('follows quietly where nothing was typed', () => {
  expect(rebase({ base, draft: toDraft(base), theirs: moved })).toEqual({
    base: moved,
    draft: toDraft(moved),
    contested: [],
  });
});

it('keeps what was typed beside what moved', () => {
  const draft = { ...toDraft(base), name: 'Renamed' };
  const next = rebase({ base, draft, theirs: moved });
  expect(next).toEqual({ base: moved, draft: { ...toDraft(moved), name: 'Renamed' }, contested: [] });
  expect(draftChanges(next)).toEqual(['name']);
});

it.each([{ latitude: '1.5' }, { longitude: '' }])('keeps its ground where both changed one field: %j', (typed) => {
  const theirs = { ...moved, name: 'Renamed there' };
  const next = rebase({ base, draft: { ...toDraft(base), ...typed }, theirs });
  expect(next.contested).toEqual(['position']);
  expect(next.draft).toEqual({ ...toDraft(base), ...typed, name: 'Renamed there' });
  expect(next.base).toEqual({ ...base, name: 'Renamed there' });
});

it('still finds the conflict when saving, after any number of changes elsewhere', () => {
  const draft = { ...toDraft(base), latitude: '9' };
  const first = rebase({ base, draft, theirs: moved });
  const theirs = { ...moved, description: 'x', position: { latitude: 7, longitude: 7 } };
  const second = rebase({ ...first, theirs });
  expect(merge({ base: second.base, mine: draftValues(second), theirs }).conflicts).toEqual([
    { field: 'position', mine: { latitude: 9, longitude: 2 }, theirs: theirs.position, before: base.position },
  ]);
});

it('has nothing left to save when they made the same change', () => {
  const next = rebase({ base, draft: { ...toDraft(base), latitude: '5', longitude: '6' }, theirs: moved });
  expect(next.contested).toEqual([]);
  expect(draftChanges(next)).toEqual([]);
});
