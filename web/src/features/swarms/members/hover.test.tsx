import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Member, MemberPage, SwarmItem } from '@swarmdeck/bff/contract';
import { act, createElement, Profiler, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { KeysProvider } from '../../../ui/keys-provider.tsx';
import { HistoryRouter } from '../../../ui/router.tsx';
import { NowProvider } from '../../../ui/time.tsx';
import { ToastProvider } from '../../../ui/toast.tsx';
import { ShownSwarmProvider } from '../use-shown-swarm.ts';
import { MembersTab } from './members-tab.tsx';
import { useMembersMapProps } from './use-members-map-props.ts';

const rendered: string[] = [];
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async () => Response.json(page));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

function profiled(id: string, children: ReactNode) {
  return (
    <Profiler id={id} onRender={() => rendered.push(id)}>
      {children}
    </Profiler>
  );
}
// They are above the table, and render whenever the tab does.
vi.mock(import('./member-chips.tsx'), async (original) => {
  const { MemberChips } = await original();
  return { MemberChips: (props) => profiled('filters', createElement(MemberChips, props)) };
});
vi.mock(import('./member-row.tsx'), async (original) => {
  const { MemberRowFrame, ...rest } = await original();
  return {
    ...rest,
    MemberRowFrame: (props) => profiled(props.member.name, createElement(MemberRowFrame, props)),
  };
});

const at = '2026-01-02T03:00:00.000Z';
const swarm = { id: 's', user_id: 'ann', name: 'Harbour', relation: 'owner', member_count: 3 } as SwarmItem;
const member = (name: string): Member => ({
  id: name,
  user_id: 'ann',
  name,
  machine_type: 'pc',
  created_at: at,
  changed_at: at,
  member_since: at,
  presence: { state: 'never' },
  swarms: [],
  resource_type: 'both',
});
const page: MemberPage = {
  items: [member('Buoy'), member('Gauge'), member('Mast')],
  next: null,
  total: 3,
  at,
  facets: {
    all: 3,
    machine_type: { pc: 3, bug: 0, smartphone: 0 },
    presence: { online: 0, offline: 0, silent: 0, never: 3 },
    no_swarm: 3,
    unplaced: 3,
    swarms: [],
    resource_type: { both: 3, consumer: 0, producer: 0 },
  },
};

function Map() {
  return <p>{useMembersMapProps().hoveredId ?? 'nothing'} on the map</p>;
}

test('the pointer on a row renders this row, the row that it leaves and the map, and not the page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchInterval: false } } });
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <ToastProvider>
            <KeysProvider>
              <NowProvider>
                <ShownSwarmProvider swarm={swarm} user_id="ann">
                  <MembersTab map={profiled('map', <Map />)} />
                </ShownSwarmProvider>
              </NowProvider>
            </KeysProvider>
          </ToastProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  const rowOf = (name: string) => container.querySelector(`[data-row="${name}"]`)!;
  await act(() => vi.waitFor(() => expect(rowOf('Gauge')).not.toBeNull()));
  await act(() => vi.waitFor(() => expect(rendered).toContain('filters')));

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
