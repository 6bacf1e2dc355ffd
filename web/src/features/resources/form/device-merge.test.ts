import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields, deviceFields, merge, sameValue, toUpdate } from './device-merge.ts';
import type { DeviceValues } from './device-merge.ts';

const base: DeviceValues = {
  name: 'Sensor 3',
  machine_type: 'bug',
  description: 'bed 3',
  position: { latitude: 52.924, longitude: 12.296 },
};

describe('merging by field', () => {
  it('keeps a rename beside a move and asks nothing', () => {
    const moved = { latitude: 53, longitude: 12 };
    const result = merge({ base, mine: { ...base, name: 'Sensor 4' }, theirs: { ...base, position: moved } });
    expect(result).toEqual({
      merged: { ...base, name: 'Sensor 4', position: moved },
      kept: ['position'],
      conflicts: [],
    });
  });

  it('asks about a field that both changed, with what it was before', () => {
    const result = merge({ base, mine: { ...base, description: 'mine' }, theirs: { ...base, description: undefined } });
    expect(result.conflicts).toEqual([{ field: 'description', mine: 'mine', theirs: undefined, before: 'bed 3' }]);
    expect(result.merged.description).toBe('mine');
  });

  it('asks nothing when both made the same change', () => {
    const same = { ...base, position: { latitude: 1, longitude: 2 } };
    expect(merge({ base, mine: same, theirs: { ...same, position: { ...same.position } } }).conflicts).toEqual([]);
  });

  it('treats a position as one field: two halves are a conflict', () => {
    const mine = { ...base, position: { latitude: 50, longitude: 12.296 } };
    const theirs = { ...base, position: { latitude: 52.924, longitude: 10 } };
    expect(merge({ base, mine, theirs }).conflicts.map((conflict) => conflict.field)).toEqual(['position']);
  });

  it('loses no change of either side, whatever the three are', () => {
    const values: fc.Arbitrary<DeviceValues> = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      machine_type: fc.constantFrom('pc', 'bug', 'smartphone'),
      description: fc.constantFrom(undefined, '', 'x'),
      position: fc.constantFrom(undefined, { latitude: 1, longitude: 1 }, { latitude: 1, longitude: 2 }),
    });
    fc.assert(
      fc.property(values, values, values, (before, mine, theirs) => {
        const result = merge({ base: before, mine, theirs });
        for (const field of deviceFields) {
          const owner = sameValue(field, before, mine) ? theirs : mine;
          expect(sameValue(field, result.merged, owner)).toBe(true);
          const both = !sameValue(field, before, mine) && !sameValue(field, before, theirs);
          const conflict = result.conflicts.some((one) => one.field === field);
          expect(conflict).toBe(both && !sameValue(field, mine, theirs));
        }
      }),
    );
  });
});

describe('the update that is sent', () => {
  it('holds only what changed and null for what was cleared', () => {
    const mine = { ...base, name: 'New', description: undefined };
    expect(changedFields({ base, mine })).toEqual(['name', 'description']);
    expect(toUpdate({ base, mine })).toEqual({ name: 'New', description: null });
  });

  it('is empty when nothing changed', () => {
    expect(toUpdate({ base, mine: { ...base, position: { latitude: 52.924, longitude: 12.296 } } })).toEqual({});
  });
});
