import type { Device, DevicePage } from '@swarmdeck/bff/contract';
import { createElement } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, test, vi } from 'vitest';
import { deviceFields, expectHoverToRenderRows, facets, profiled, stubDesk } from '../../../bulk/hover.fixture.tsx';
import { DeviceHome } from './device-home.tsx';
import { HomeState } from './home-state.ts';
import { useHomeSymbols } from './use-home-map-props.ts';

// Another test of this worker may have loaded the parts as they are.
await vi.hoisted(async () => {
  vi.resetModules();
  const { loadTexts } = await import('../../../text/text.ts');
  await loadTexts('en');
});
// Otherwise all of the page renders once more, at a moment that depends on the machine.
vi.mock(import('../../../ui/pages/use-is-settled.ts'), () => ({ useIsSettled: () => true }));
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

const device = (name: string): Device => ({ ...deviceFields, id: name, name });
const page: DevicePage = {
  items: [device('Buoy'), device('Gauge'), device('Mast')],
  next: null,
  total: 3,
  at: '2026-01-02T04:00:00.000Z',
  facets,
};
beforeEach(() => stubDesk((path) => (path.includes('by-id') ? page.items : page)));

function Map() {
  return <p>{useHomeSymbols().hoveredId ?? 'nothing'} on the map</p>;
}

test('the pointer on a row renders this row, the row that it leaves and the map, and not the page', async () => {
  const home = (
    <HomeState userId="ann">
      <DeviceHome map={profiled('map', <Map />)} start={null} views={null} foot={null} />
    </HomeState>
  );
  await expectHoverToRenderRows(<RouterProvider router={createMemoryRouter([{ path: '/', element: home }])} />);
});
