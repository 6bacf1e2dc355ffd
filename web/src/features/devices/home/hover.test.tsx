import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { act, createElement, Profiler, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { KeysProvider } from '../../../ui/keys-provider.tsx';
import { ToastProvider } from '../../../ui/toast.tsx';
import { DeviceHome } from './device-home.tsx';
import { HomeState } from './home-state.tsx';
import { useHomeMapProps } from './use-home-map-props.ts';

const rendered: string[] = [];
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (path: string) => Response.json(path.includes('by-id') ? page.items : page));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  Object.assign(HTMLElement.prototype, { scrollTo: () => {}, scrollBy: () => {} });
});

function profiled(id: string, children: ReactNode) {
  return (
    <Profiler id={id} onRender={() => rendered.push(id)}>
      {children}
    </Profiler>
  );
}
// They are a part of the list's head, which renders whenever the page does.
vi.mock(import('./filter-chips.tsx'), async (original) => {
  const { FilterChips } = await original();
  return { FilterChips: (props) => profiled('filters', createElement(FilterChips, props)) };
});
vi.mock(import('./device-row.tsx'), async (original) => {
  const { DeviceRow } = await original();
  const Profiled = (props: Parameters<typeof createElement>[1] & { device: Device }) =>
    profiled(props.device.name, createElement(DeviceRow, props as never));
  return { DeviceRow: Profiled as unknown as typeof DeviceRow };
});
const device = (name: string): Device => ({
  id: name,
  user_id: 'ann',
  name,
  machine_type: 'pc',
  created_at: '2026-01-02T03:00:00.000Z',
  changed_at: '2026-01-02T03:00:00.000Z',
  presence: { state: 'never' },
  swarms: [],
});
const page: DevicePage = {
  items: [device('Buoy'), device('Gauge'), device('Mast')],
  next: null,
  total: 3,
  at: '2026-01-02T04:00:00.000Z',
  facets: {
    all: 3,
    machine_type: { pc: 3, bug: 0, smartphone: 0 },
    presence: { online: 0, offline: 0, silent: 0, never: 3 },
    no_swarm: 3,
    unplaced: 3,
    swarms: [],
  },
};

function Map() {
  return <p>{useHomeMapProps().hoveredId ?? 'nothing'} on the map</p>;
}

test('the pointer on a row renders this row, the row that it leaves and the map, and not the page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchInterval: false } } });
  const home = (
    <HomeState userId="ann">
      <DeviceHome map={profiled('map', <Map />)} start={null} views={null} foot={null} />
    </HomeState>
  );
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <ToastProvider>
          <KeysProvider>
            <RouterProvider router={createMemoryRouter([{ path: '/', element: home }])} />
          </KeysProvider>
        </ToastProvider>
      </QueryClientProvider>,
    ),
  );
  const rowOf = (name: string) => container.querySelector(`[data-row="${name}"]`)!;
  await vi.waitFor(() => act(async () => expect(rowOf('Gauge')).not.toBeNull()));
  expect(rendered).toContain('filters');
  // it still renders because of its first responses
  await vi.waitFor(async () => {
    rendered.length = 0;
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(rendered).toEqual([]);
  });

  const enter = async (name: string) => {
    rendered.length = 0;
    await act(async () =>
      rowOf(name).dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' })),
    );
    return new Set(rendered);
  };
  expect(await enter('Gauge')).toEqual(new Set(['Gauge', 'map']));
  expect(container.textContent).toContain('Gauge on the map');
  expect(await enter('Mast')).toEqual(new Set(['Gauge', 'Mast', 'map']));
  await act(async () => root.unmount());
});
