import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeys } from '../data/cache/query-keys.ts';
import { t } from '../text/text.ts';
import { KeysProvider } from '../ui/keys/keys-provider.tsx';
import { NowProvider } from '../ui/texts/time.tsx';
import { ToastProvider } from '../ui/toasts/toast.tsx';
import { Component } from '../routes/account.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
  const observer = { observe: () => undefined, disconnect: () => undefined, unobserve: () => undefined };
  vi.stubGlobal('IntersectionObserver', function IntersectionObserver() {
    return observer;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const names = ['resources', 'swarms', 'members', 'invitations', 'keys', 'device_keys', 'saved_views', 'streams'];
const quotas = Object.fromEntries(names.map((name) => [name, { used: 0, allowed: null }]));
const created_at = '2026-11-01T00:00:00.000Z';

async function mountPage() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  client.setQueryData(queryKeys.account, { user_id: 'ann', created_at, resources: 0, swarms_owned: 0, quotas });
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <NowProvider>
          <KeysProvider>
            <ToastProvider>
              <MemoryRouter>
                <Component />
              </MemoryRouter>
            </ToastProvider>
          </KeysProvider>
        </NowProvider>
      </QueryClientProvider>,
    ),
  );
  return {
    page,
    async unmount() {
      await act(async () => root.unmount());
      client.clear();
    },
  };
}

const headingsOf = (page: HTMLElement) => [...page.querySelectorAll('h2')].map(({ textContent }) => textContent);

it('shows its first boxes before the others have loaded', async () => {
  const others = Promise.withResolvers<void>();
  const first: Record<string, unknown> = {
    '/api/account/keys': { items: [], device_keys: { items: [], total: 0 } },
    '/api/account/sessions': { items: [] },
  };
  vi.stubGlobal('fetch', async (path: string) => {
    if (first[path]) return Response.json(first[path]);
    await others.promise;
    throw new TypeError('no network');
  });
  const { page, unmount } = await mountPage();
  await waitFor(() => expect(headingsOf(page)).toContain(t.account.sessions.title));
  expect(headingsOf(page)).toEqual(['ann', t.account.keys.title, t.account.sessions.title]);
  others.resolve();
  await waitFor(() => expect(headingsOf(page)).toContain(t.account.remove.title));
  await unmount();
});

it('while the server cannot be reached, requests its data once more at most, and its boxes are no alerts', async () => {
  vi.useFakeTimers();
  let left = 100;
  const request = vi.fn<(path: string) => Promise<Response>>(() => {
    left -= 1;
    // Requests without end would otherwise never let the test fail.
    return left < 0 ? new Promise(() => {}) : Promise.reject(new TypeError('no network'));
  });
  vi.stubGlobal('fetch', request);
  const { page, unmount } = await mountPage();
  for (let step = 0; step < 20; step += 1) await act(async () => void (await vi.advanceTimersByTimeAsync(50)));
  const requests = request.mock.calls.filter(([path]) => path === '/api/account/sessions');
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.length).toBeLessThanOrEqual(2);
  // The notice of the whole page is the only alert.
  expect(page.textContent).toContain(t.shell.unreachable.part);
  expect(page.querySelectorAll('[role=alert]')).toHaveLength(0);
  await unmount();
});
