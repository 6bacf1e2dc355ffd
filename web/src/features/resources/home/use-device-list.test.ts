import type { Device } from '@swarmdeck/bff/contract';
import { describe, expect, it } from 'vitest';
import { outOfPlace, refresh } from './use-device-list.ts';

const at = (minute: number) => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;
const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  user_id: 'me',
  name: id,
  machine_type: 'pc',
  created_at: at(0),
  changed_at: at(1),
  swarms: [],
  ...more,
});
const byId = (...devices: Device[]) => new Map(devices.map((one) => [one.id, one]));
const known = byId(device('a'), device('b'));
const list = { known, at: at(10), loaded_total: 2, total: 2 };

describe('refresh', () => {
  it('returns the devices that changed after they were last read', () => {
    const moved = device('a', { changed_at: at(11) });
    const fresh = refresh({ fresh: new Map(), known, items: [moved, device('b')] });
    expect([...fresh.values()]).toEqual([moved]);
    expect(refresh({ fresh, known, items: [moved] })).toBe(fresh);
    expect(refresh({ fresh, known, items: [device('a', { changed_at: at(5) })] })).toBe(fresh);
  });
});

describe('outOfPlace', () => {
  it('is 0 without changes', () => {
    for (const sort of ['name', '-changed', '-created'] as const) {
      expect(outOfPlace({ ...list, sort, fresh: new Map() })).toBe(0);
    }
  });

  it('counts all changed devices if sorted by last change, and only renamed ones if sorted by name', () => {
    const fresh = byId(device('a', { changed_at: at(11) }), device('b', { changed_at: at(12), name: 'c' }));
    expect(outOfPlace({ ...list, sort: '-changed', fresh })).toBe(2);
    expect(outOfPlace({ ...list, sort: 'name', fresh })).toBe(1);
    expect(outOfPlace({ ...list, sort: '-created', fresh })).toBe(0);
  });

  it('counts a changed device that is not loaded yet', () => {
    const fresh = byId(device('z', { changed_at: at(11) }));
    expect(outOfPlace({ ...list, sort: '-changed', fresh })).toBe(1);
    expect(outOfPlace({ ...list, sort: 'name', fresh })).toBe(0);
  });

  it('counts new and deleted devices, also together', () => {
    const fresh = byId(device('n', { created_at: at(11), changed_at: at(11) }));
    expect(outOfPlace({ ...list, sort: 'name', fresh, total: 3 })).toBe(1);
    expect(outOfPlace({ ...list, sort: 'name', fresh, total: 2 })).toBe(2);
    expect(outOfPlace({ ...list, sort: 'name', fresh: new Map(), total: 0 })).toBe(2);
  });
});
