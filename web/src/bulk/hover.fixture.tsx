/** For tests of what renders while the pointer is over the rows of a list beside a map. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { act, Profiler, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, vi } from 'vitest';
import { KeysProvider } from '../ui/keys/keys-provider.tsx';
import { stubBrowser } from '../ui/mounted.fixture.tsx';
import { ToastProvider } from '../ui/toasts/toast.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

/** The ids of the profiled parts that have rendered, in their order. */
const rendered: string[] = [];

export function profiled(id: string, children: ReactNode) {
  return (
    <Profiler id={id} onRender={() => rendered.push(id)}>
      {children}
    </Profiler>
  );
}

/** What three computers, which are in no swarm and have no position, have in common. */
export const deviceFields = {
  user_id: 'ann',
  machine_type: 'pc' as const,
  created_at: '2026-01-02T03:00:00.000Z',
  changed_at: '2026-01-02T03:00:00.000Z',
  presence: { state: 'never' as const },
  swarms: [],
};
export const facets: DevicePage['facets'] = {
  all: 3,
  machine_type: { pc: 3, bug: 0, smartphone: 0 },
  presence: { online: 0, offline: 0, silent: 0, never: 3 },
  no_swarm: 3,
  unplaced: 3,
  swarms: [],
};

/** A desk on which lists have room for rows, and whose server gives these answers. */
export function stubDesk(answer: (path: string) => object) {
  stubBrowser();
  vi.stubGlobal('fetch', async (path: string) => Response.json(answer(path)));
  // Every 5 s, the ages in all rows are rendered again, which no hover has caused.
  vi.stubGlobal('setInterval', () => 0);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
}

/** The page with the devices Buoy, Gauge and Mast, of which rows, filters and map are profiled. */
export async function expectHoverToRenderRows(page: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchInterval: false } } });
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <ToastProvider>
          <KeysProvider>{page}</KeysProvider>
        </ToastProvider>
      </QueryClientProvider>,
    ),
  );
  const rowOf = (name: string) => container.querySelector(`[data-row="${name}"]`)!;
  await waitFor(() => expect(rowOf('Gauge')).not.toBeNull());
  expect(rendered).toContain('filters');
  // All first responses are there, and what they change is rendered.
  await waitFor(() => expect(client.isFetching()).toBe(0));

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
}
