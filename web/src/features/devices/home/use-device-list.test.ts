import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { act, createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patchDeviceValues } from '../../../data/cache/cached-devices.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import type { DeviceQuery } from '../devices.api.ts';
import { useDeviceList } from './use-device-list.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

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

const facets = {
  all: 1,
  machine_type: { pc: 1, bug: 0, smartphone: 0 },
  presence: { online: 0, offline: 0, silent: 0, never: 1 },
  no_swarm: 1,
  unplaced: 1,
  swarms: [],
};

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

test('the list renders when its devices or counts have changed, and not for each response', async () => {
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
  await waitFor(() => expect(name).toBe('a'));
  // It may still render because of its first responses.
  await waitFor(async () => {
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

test('an edit that waits is shown in its row, also if the device has changed since the list was read', async () => {
  const page = { items: [device('a')], next: null, total: 1, at: at(10) };
  const moved = device('a', { changed_at: at(11), position: { latitude: 54, longitude: 10 } });
  vi.stubGlobal('fetch', async (path: string) => {
    const isLatest = new URL(path, 'http://localhost').searchParams.get('sort') === '-changed';
    return new Response(JSON.stringify(isLatest ? { ...page, items: [moved], at: at(12) } : page));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let shown: Device | undefined;
  function List() {
    shown = useDeviceList({ filters: {}, sort: 'name', bbox: null, waiting: false, shown: null }).changes.device('a');
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(List))));
  await waitFor(() => expect(shown).toBeDefined());
  await act(() => client.refetchQueries({ queryKey: queryKeys.devices.latest }));
  await waitFor(() => expect(shown).toEqual(moved));
  act(() => patchDeviceValues(client, 'a', { name: 'Buoy' }));
  await waitFor(() => expect(shown).toEqual({ ...moved, name: 'Buoy' }));
  await act(async () => root.unmount());
});

test('rows in view are requested again, whatever else has changed', async () => {
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
  const inView = () => client.getQueryCache().find({ queryKey: queryKeys.devices.inView('a,b') });
  await waitFor(() => expect(inView()).toBeDefined());
  expect(requested).toEqual([]);
  name = 'renamed';
  // As an event of the stream does.
  void client.invalidateQueries({ queryKey: queryKeys.devices.latest });
  await waitFor(() => expect(shown).toBe('renamed'));
  expect(requested).toEqual(['a,b']);
  root.unmount();
});

test('what has changed while the list was sorted otherwise is shown when it has its order again', async () => {
  const page: DevicePage = { items: [device('a')], next: null, total: 1, at: at(10), facets };
  const heard = device('a', { presence: { state: 'online', heard_at: at(11) } });
  let isLater = false;
  vi.stubGlobal('fetch', async (path: string) => {
    const params = new URL(path, 'http://localhost').searchParams;
    if (params.has('ids')) return Response.json([isLater ? heard : device('a')]);
    if (params.get('sort') === '-created') return Response.json({ ...page, at: at(11) });
    const isLatest = params.get('sort') === '-changed';
    return Response.json(isLatest && isLater ? { ...page, items: [device('b')], total: 2, at: at(12) } : page);
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let shown: object | undefined;
  function List({ sort }: { sort: 'name' | '-created' }) {
    const list = useDeviceList({ filters: {}, sort, bbox: null, waiting: false, shown: null });
    shown = { sort, state: list.changes.device('a')?.presence.state, total: list.counts.total };
    useEffect(() => list.scroll.show({ start: 0, end: list.rows.length }));
    return null;
  }
  const root = createRoot(document.createElement('div'));
  // Not by `act`, which would hold back what timers set.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const sortBy = (sort: 'name' | '-created') =>
    root.render(createElement(QueryClientProvider, { client }, createElement(List, { sort })));
  const known = (queryKey: readonly unknown[]) => client.getQueryCache().find({ queryKey });
  sortBy('name');
  await waitFor(() => expect(known(queryKeys.devices.inView('a'))).toBeDefined());
  sortBy('-created');
  await waitFor(() => expect(known(queryKeys.devices.changesSince(at(11)))).toBeDefined());
  isLater = true;
  // As an event of the stream does.
  void client.invalidateQueries({ queryKey: queryKeys.devices.latest });
  const changed = { state: 'online', total: 2 };
  await waitFor(() => expect(shown).toEqual({ sort: '-created', ...changed }));
  sortBy('name');
  await waitFor(() => expect(shown).toEqual({ sort: 'name', ...changed }));
  root.unmount();
});

test('without the server, the list has the stored devices that match the filters, by the search of the server', async () => {
  const items = [device('b', { name: 'Müller 2', machine_type: 'bug' }), device('a', { name: 'Silo' })];
  const page: DevicePage = { items, next: null, total: 2, at: at(10), facets };
  let isAway = false;
  vi.stubGlobal('fetch', async () => {
    if (isAway) throw new TypeError('no network');
    return new Response(JSON.stringify(page));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  client.setQueryData(queryKeys.account, { user_id: 'me' });
  let shown: { names: string[]; isStored: boolean } | undefined;
  function List({ filters }: { filters: DeviceQuery['filters'] }) {
    const { rows, status } = useDeviceList({ filters, sort: 'name', bbox: null, waiting: false, shown: null });
    useEffect(() => {
      shown = { names: rows.all().map(({ name }) => name), isStored: status.isStored };
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  const show = (filters: DeviceQuery['filters']) =>
    act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(List, { filters }))));
  await show({});
  await waitFor(() => expect(shown?.names).toEqual(['Müller 2', 'Silo']));
  isAway = true;
  const searched: [DeviceQuery['filters'], string[]][] = [
    [{ q: 'muller' }, ['Müller 2']],
    [{ machine_type: ['pc'] }, ['Silo']],
    [{ swarm: 'none', presence: ['never'] }, ['Müller 2', 'Silo']],
    [{ placed: 'yes' }, []],
  ];
  for (const [filters, names] of searched) {
    await show(filters);
    await waitFor(() => expect(shown).toEqual({ names, isStored: true }));
  }
  // No row says which these are.
  await show({ action: 'x' });
  await waitFor(() => expect(shown).toEqual({ names: ['Müller 2', 'Silo'], isStored: false }));
  await act(async () => root.unmount());
});
