import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { HistoryRouter } from '../../ui/router.tsx';
import { NowProvider } from '../../ui/time.tsx';
import { Connect } from './connect.tsx';

beforeAll(() => loadTexts('en'));

test.each([
  ['in no swarm can be added to one', false],
  ['that sends need not', true],
])('a device %s where its new key is shown', async (_, sends) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const created = { id: 'k', name: 'Gate', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit = {}) => {
    if (method === 'POST') return Response.json(created);
    return Response.json(path.includes('keys') ? { items: [] } : []);
  });
  const container = document.createElement('div');
  const root = createRoot(container);
  const client = new QueryClient();
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <KeysProvider>
            <NowProvider>
              <Connect
                device={{ id: 'd', name: 'Gate' } as Resource}
                rights={{ sends, receives: false }}
                AddToSwarm={({ id }) => `adding ${id}`}
                onClose={() => undefined}
              />
            </NowProvider>
          </KeysProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  const form = container.querySelector('form')!;
  await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  await act(() => vi.waitFor(() => expect(container.textContent).toContain('sk_secret')));
  const add = [...container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === t.device.page.add_to_swarm,
  );
  expect(add === undefined).toBe(sends);
  await act(async () => add?.click());
  expect(container.textContent.includes('adding d')).toBe(!sends);
  await act(async () => root.unmount());
  client.clear();
});
