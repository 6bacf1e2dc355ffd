import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { act, createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { mostChanged, outOfPlace, refresh, useDeviceList } from './use-device-list.ts';

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
const loaded = { known, at: at(10), sort: 'name' } as const;

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
    expect(outOfPlace({ ...list, sort: 'name', fresh })).toBe(1);
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

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

test('the list renders when its devices or counts have changed, and not for each response', async () => {
  const facets = {
    all: 1,
    machine_type: { pc: 1, bug: 0, smartphone: 0 },
    presence: { online: 0, offline: 0, silent: 0, never: 1 },
    no_swarm: 1,
    unplaced: 1,
    swarms: [],
  };
  const page: DevicePage = { items: [device('a')], next: null, total: 1, at: at(10), facets };
  let answer = page;
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let renders = 0;
  let name: string | undefined;
  function List() {
    renders += 1;
    const loaded = useDeviceList({ filters: {}, sort: 'name', bbox: null, waiting: false, shown: null });
    name = loaded.changes.device('a')?.name;
    return loaded.counts.total;
  }
  const root = createRoot(document.createElement('div'));
  const reads = (next: DevicePage) => {
    answer = next;
    return act(async () => {
      await client.refetchQueries({ queryKey: queryKeys.devices.latest });
      // TanStack Query notifies components in a timer of 0 ms.
      await new Promise((resolve) => setTimeout(resolve));
    });
  };
  await act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(List))));
  await act(() => vi.waitFor(() => expect(name).toBe('a')));
  // it may still render because of its first responses
  await vi.waitFor(async () => {
    renders = 0;
    await reads({ ...page, at: at(11) });
    expect(renders).toBe(0);
  });
  await reads({ ...page, at: at(12) });
  await reads({ ...page, at: at(13) });
  await reads({ ...page, at: at(14) });
  expect(renders).toBe(0);
  await reads({ ...page, at: at(15), items: [device('a', { name: 'b', changed_at: at(15) })] });
  expect(name).toBe('b');
  await act(async () => root.unmount());
});

test('rows in view are requested again, whatever else has changed', async () => {
  const facets = {
    all: 1,
    machine_type: { pc: 1, bug: 0, smartphone: 0 },
    presence: { online: 0, offline: 0, silent: 0, never: 1 },
    no_swarm: 1,
    unplaced: 1,
    swarms: [],
  };
  const page: DevicePage = { items: [device('a'), device('b')], next: null, total: 2, at: at(10), facets };
  const requested: string[] = [];
  let name = 'a';
  vi.stubGlobal('fetch', async (path: string) => {
    const ids = new URL(path, 'http://localhost').searchParams.get('ids');
    if (ids === null) return new Response(JSON.stringify(page));
    requested.push(ids);
    return new Response(JSON.stringify([device('a', { name, changed_at: at(11) })]));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let shown: string | undefined;
  function List() {
    const loadedList = useDeviceList({ filters: {}, sort: 'name', bbox: null, waiting: false, shown: null });
    useEffect(() => {
      shown = loadedList.changes.device('a')?.name;
      loadedList.scroll.show({ start: 0, end: loadedList.rows.length });
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  // Not by `act`, which would hold back what timers set.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  root.render(createElement(QueryClientProvider, { client }, createElement(List)));
  const inView = () => client.getQueryCache().find({ queryKey: queryKeys.devices.inView(['a', 'b']) });
  await vi.waitFor(() => expect(inView()).toBeDefined());
  expect(requested).toEqual([]);
  name = 'renamed';
  // as an event of the stream does
  void client.invalidateQueries({ queryKey: queryKeys.devices.latest });
  await vi.waitFor(() => expect(shown).toBe('renamed'));
  expect(requested).toEqual(['a,b']);
  root.unmount();
});
