import type { Device } from '@swarmdeck/bff/contract';
import { describe, expect, it } from 'vitest';
import { mostChanged, outOfPlace, refresh, type ListOrder } from './changed-devices.ts';

const at = (minute: number) => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;
const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  user_id: 'me',
  name: id,
  machine_type: 'pc',
  created_at: at(0),
  changed_at: at(1),
  presence: { state: 'never' },
  swarms: [],
  ...more,
});
const byId = (...devices: Device[]) => new Map(devices.map((one) => [one.id, one]));
const known = byId(device('a'), device('b'));
const list = { known, at: at(10), loaded_total: 2, total: 2 };
const loaded = { known, at: at(10), order: { sort: 'name' } } as const;

describe('refresh', () => {
  it('returns the devices that changed after they were last read', () => {
    const moved = device('a', { changed_at: at(11) });
    const fresh = refresh({ ...loaded, fresh: new Map(), items: [moved, device('b')] });
    expect([...fresh.values()]).toEqual([moved]);
    expect(refresh({ ...loaded, fresh, items: [moved] })).toBe(fresh);
    expect(refresh({ ...loaded, fresh, items: [device('a', { changed_at: at(5) })] })).toBe(fresh);
  });
});

describe('refresh of a busy fleet', () => {
  const many = (count: number, more: Partial<Device> = {}) =>
    Array.from({ length: count }, (_, number) =>
      device(`${more.created_at ?? 'old'}-${number}`, { changed_at: at(11), ...more }),
    );

  it('takes the rows in view, also if only their swarms have changed', () => {
    const joined = device('a', { swarms: [{ id: 's', name: 'Zoo', resource_type: 'producer' }] });
    const fresh = refresh({ ...loaded, fresh: new Map(), items: [], inView: [joined, device('b')] });
    expect([...fresh.values()]).toEqual([joined]);
    expect(refresh({ ...loaded, fresh, items: [device('a')], inView: [joined] })).toBe(fresh);
    const older = device('a', { changed_at: at(0) });
    expect(refresh({ ...loaded, fresh, items: [], inView: [older] })).toBe(fresh);
  });

  it('keeps a limited number of changed devices: those in view, and those that a new sort would move', () => {
    const renamed = byId(device('a', { name: 'z', changed_at: at(11) }));
    const inView = [device('b', { changed_at: at(12) })];
    const before = new Map([...renamed, ...byId(...many(mostChanged - 1))]);
    const fresh = refresh({ ...loaded, fresh: before, items: many(50, { created_at: at(9) }), inView });
    expect(fresh.size).toBe(mostChanged);
    expect([fresh.get('a')?.name, fresh.get('b')?.changed_at]).toEqual(['z', at(12)]);
    expect(refresh({ ...loaded, fresh, items: [], inView })).toBe(fresh);
    expect(outOfPlace({ ...list, order: { sort: 'name' }, fresh })).toBe(1);
  });

  it('keeps what is in view if every other row would move', () => {
    const created = many(mostChanged, { created_at: at(11) });
    const inView = [device('b', { changed_at: at(12) })];
    const fresh = refresh({ ...loaded, fresh: byId(...created), items: [], inView });
    expect([fresh.size, fresh.has('b')]).toEqual([mostChanged, true]);
    expect(refresh({ ...loaded, fresh, items: [], inView })).toBe(fresh);
  });
});

describe('outOfPlace', () => {
  it('is 0 without changes', () => {
    for (const sort of ['name', '-changed', '-created'] as const) {
      expect(outOfPlace({ ...list, order: { sort }, fresh: new Map() })).toBe(0);
    }
  });

  it('counts all changed devices if sorted by last change, and only renamed ones if sorted by name', () => {
    const fresh = byId(device('a', { changed_at: at(11) }), device('b', { changed_at: at(12), name: 'c' }));
    expect(outOfPlace({ ...list, order: { sort: '-changed' }, fresh })).toBe(2);
    expect(outOfPlace({ ...list, order: { sort: 'name' }, fresh })).toBe(1);
    expect(outOfPlace({ ...list, order: { sort: '-created' }, fresh })).toBe(0);
  });

  it('counts a changed device that is not loaded yet', () => {
    const fresh = byId(device('z', { changed_at: at(11) }));
    expect(outOfPlace({ ...list, order: { sort: '-changed' }, fresh })).toBe(1);
    expect(outOfPlace({ ...list, order: { sort: 'name' }, fresh })).toBe(0);
  });

  it('counts new and deleted devices, also together', () => {
    const fresh = byId(device('n', { created_at: at(11), changed_at: at(11) }));
    expect(outOfPlace({ ...list, order: { sort: 'name' }, fresh, total: 3 })).toBe(1);
    expect(outOfPlace({ ...list, order: { sort: 'name' }, fresh, total: 2 })).toBe(2);
    expect(outOfPlace({ ...list, order: { sort: 'name' }, fresh: new Map(), total: 0 })).toBe(2);
  });

  it('counts a row only if what the server sorts by has changed', () => {
    const before = device('a', {
      name: 'Sensor 2',
      values: { t: { value: 20, at: at(1) }, open: { value: true, at: at(1) } },
    });
    const counts = (order: ListOrder, more: Partial<Device>) =>
      outOfPlace({ ...list, known: byId(before), order, fresh: byId({ ...before, ...more, changed_at: at(11) }) });
    expect(counts({ sort: 'name' }, { name: 'sensor 02' })).toBe(0);
    expect(counts({ sort: 'name' }, { name: 'Sensor 20' })).toBe(1);
    const values = { t: { value: 20, at: at(11) }, open: { value: false, at: at(11) } };
    expect(counts({ sort: '-value', value: 't' }, { values })).toBe(0);
    expect(counts({ sort: '-value', value: 't' }, { values: { ...values, t: { value: 21, at: at(11) } } })).toBe(1);
  });
});
