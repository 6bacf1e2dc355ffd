import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Resource, Swarm } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { serveActions } from '../../../data/actions/actions.fixture.ts';
import { actionsOf } from '../../../data/actions/actions.ts';
import type { StartOptions } from '../../../data/actions/action-store.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { NowProvider } from '../../../ui/texts/time.tsx';
import { SwarmsBox } from './swarms-box.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const device = { id: 'd', name: 'Buoy' } as Resource;
const about = { swarm: { id: 's', name: 'Harbour' }, resource_type: 'producer' } as const;
const items = [device];

/** The row of a swarm of this owner, in which the device is for good or until then, and what it shows while the action runs. */
async function rowsDuring(options: StartOptions, owner: string, ends_at?: string): Promise<[string, string]> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  serveActions();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const resources = [{ resource_id: 'd', resource_type: 'producer', ends_at }];
  client.setQueryData(queryKeys.device.swarms('d'), [{ id: 's', name: 'Harbour', user_id: owner, resources } as Swarm]);
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <NowProvider>
            <SwarmsBox resource={device} user_id="ann" />
          </NowProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  const row = container.querySelector('li')!.textContent;
  await act(() => actionsOf({ client }).start(options));
  const shown = container.querySelector('.box-quiet')?.textContent ?? '';
  await act(async () => root.unmount());
  client.clear();
  return [row, shown];
}
const rowDuring = async (options: StartOptions, owner = 'ann') => (await rowsDuring(options, owner))[1];

test('the row of a swarm says until when the device is in it', async () => {
  const until = async (ends_at?: string) =>
    (await rowsDuring({ kind: 'remove_member', about, items }, 'bob', ends_at))[0];
  expect(await until(new Date(2100, 0, 31, 23, 59, 59, 999).toISOString())).toMatch(/bob · 1 member · until .*2100/);
  expect(await until()).not.toContain('until');
});

test('the row of a swarm says what an action does with the device', async () => {
  expect(await rowDuring({ kind: 'add_member', about, items })).toBe('Adding…');
  expect(await rowDuring({ kind: 'change_role', about, items })).toBe('Changing role…');
  expect(await rowDuring({ kind: 'narrow_role', about, items })).toBe('Changing role…');
  expect(await rowDuring({ kind: 'remove_member', about, items })).toBe('Removing…');
  expect(await rowDuring({ kind: 'remove_member', about, items }, 'bob')).toBe('Leaving…');
});

test('without the server, a device that was in no swarm is not said to be in none', async () => {
  await loadTexts('en');
  const fetched = vi.fn<() => Promise<Response>>().mockResolvedValue(Response.json([]));
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container, unmount } = await mountPart(<SwarmsBox resource={device} user_id="ann" />, client);
  await waitFor(() => expect(container.textContent).toContain(t.device.page.no_swarms));
  fetched.mockRejectedValue(new TypeError('no network'));
  await act(() => client.refetchQueries());
  await waitFor(() => expect(container.textContent).toContain(t.shell.kit.retry));
  expect(container.textContent).not.toContain(t.device.page.no_swarms);
  expect(container.querySelector('.box-head')?.textContent).toBe(t.device.page.swarms);
  await unmount();
});
