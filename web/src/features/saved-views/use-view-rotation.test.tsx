import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { savedViewsQuery } from './saved-views.api.ts';
import { useViewRotation, viewRotation } from './use-view-rotation.ts';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
afterEach(() => {
  vi.useRealTimers();
  viewRotation.set('off');
});

function Wall() {
  const { pathname, search } = useLocation();
  useViewRotation(pathname + search);
  return pathname + search;
}

test('the saved walls are opened in turn, 30 s after the last input, and only while it is switched on', async () => {
  vi.useFakeTimers();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const urls = ['/map?map=2/0/0', '/?machine_type=bug', '/swarms/s1/map'];
  const items = urls.map((url, index) => ({ id: `v${index}`, name: `View ${index}`, url, swarms: [] }));
  client.setQueryData(savedViewsQuery.queryKey, { items, limit: 50 } as never);
  vi.stubGlobal('fetch', async () => Response.json({ items, limit: 50 }));
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={['/map']}>
          <Wall />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  const after = async (seconds: number) => {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
    return page.textContent;
  };
  expect(await after(100)).toBe('/map');
  await act(async () => viewRotation.set('on'));
  expect(await after(29)).toBe('/map');
  dispatchEvent(new Event('pointermove'));
  expect(await after(29)).toBe('/map');
  expect(await after(2)).toBe('/map?map=2/0/0');
  expect(await after(31)).toBe('/swarms/s1/map');
  expect(await after(31)).toBe('/map?map=2/0/0');
  await act(async () => viewRotation.set('off'));
  expect(await after(100)).toBe('/map?map=2/0/0');
  await act(async () => root.unmount());
});
