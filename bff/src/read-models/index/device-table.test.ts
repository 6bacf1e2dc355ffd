import fc from 'fast-check';
import { expect, test } from 'vitest';
import { machineTypes, memberRoles, presenceStates } from '../../core/limits/field-rules.ts';
import { createDeviceTable, type DeviceTable, type TableDevice } from './device-table.ts';
import { columnOf, rowOf } from '../map/mercator.ts';

const ref = fc.integer({ min: 1, max: 40 });
const time = fc.nat({ max: 1e12 });
const place = fc.constantFrom(
  { longitude: null, latitude: null },
  { longitude: 180, latitude: -90 },
  { longitude: 7.5, latitude: 47 },
);
const device: fc.Arbitrary<TableDevice> = fc
  .record({
    ref,
    machine_type: fc.constantFrom(...machineTypes),
    resource_type: fc.constantFrom(null, ...memberRoles),
    presence: fc.constantFrom(...presenceStates),
    swarms: fc.constantFrom('', 's1', 's2', 's1,s2'),
    place,
    changedAt: time,
    createdAt: time,
    memberSince: time,
    heardAt: time,
  })
  .map(({ place: at, ...rest }) => ({ ...rest, ...at }));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: device }) },
  { weight: 2, arbitrary: fc.record({ remove: ref }) },
  { weight: 1, arbitrary: fc.record({ destroy: fc.constantFrom('s1', 's2') }) },
);

function deviceAt(table: DeviceTable, slot: number) {
  const { columns, profiles } = table;
  const { machine_type, resource_type, presence, swarms, isPlaced } = profiles[columns.profile[slot]!]!;
  const [longitude, latitude] = [columns.longitude[slot]!, columns.latitude[slot]!];
  expect([columns.x[slot], columns.y[slot]]).toEqual(isPlaced ? [columnOf(longitude), rowOf(latitude)] : [0, 0]);
  expect(Number.isNaN(longitude)).toBe(!isPlaced);
  return {
    ref: columns.ref[slot]!,
    machine_type,
    resource_type,
    presence,
    swarms: swarms.join(','),
    ...(isPlaced ? { longitude, latitude } : { longitude: null, latitude: null }),
    changedAt: columns.changedAt[slot]!,
    createdAt: columns.createdAt[slot]!,
    memberSince: columns.memberSince[slot]!,
    heardAt: columns.heardAt[slot]!,
  };
}

test('a table has the devices of a map after any changes, and counts them by profile', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const table = createDeviceTable();
      const expected = new Map<number, TableDevice>();
      for (const each of steps) {
        if ('put' in each) {
          expected.set(each.put.ref, each.put);
          expect(table.columns.ref[table.put(each.put)]).toBe(each.put.ref);
        } else if ('remove' in each) expect(table.remove(each.remove) !== undefined).toBe(expected.delete(each.remove));
        else {
          table.removeSwarm(each.destroy);
          const others = (swarms: string) => swarms.split(',').filter((id) => id !== each.destroy);
          for (const [key, old] of expected) expected.set(key, { ...old, swarms: others(old.swarms).join(',') });
        }
      }
      const slots = Array.from({ length: table.end }, (_, slot) => slot).filter(
        (slot) => table.columns.ref[slot] !== 0,
      );
      const byRef = (a: TableDevice, b: TableDevice) => a.ref - b.ref;
      expect(slots.map((slot) => deviceAt(table, slot)).toSorted(byRef)).toEqual(
        [...expected.values()].toSorted(byRef),
      );
      expect(table.size).toBe(expected.size);
      for (const slot of slots) expect(table.slotOf(table.columns.ref[slot]!)).toBe(slot);
      for (const [number, profile] of table.profiles.entries()) {
        const count = slots.filter((slot) => table.columns.profile[slot] === number).length;
        expect(profile?.count ?? 0).toBe(count);
        if (profile) expect(count).toBeGreaterThan(0);
      }
    }),
  );
});

test('slots and profiles are reused', () => {
  const table = createDeviceTable();
  const put = (number: number) =>
    table.put({
      ref: number,
      machine_type: 'pc',
      presence: 'never',
      resource_type: null,
      swarms: `s${number}`,
      longitude: null,
      latitude: null,
      changedAt: 0,
      createdAt: 0,
      memberSince: 0,
      heardAt: 0,
    });
  for (let number = 1; number <= 1000; number++) {
    put(number);
    if (number > 1) table.remove(number - 1);
  }
  expect([table.size, table.end, table.profiles.length]).toEqual([1, 2, 2]);
});
