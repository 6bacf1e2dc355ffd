import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { HistoryRouter } from '../../ui/router.tsx';
import { NowProvider } from '../../ui/time.tsx';
import { keysQuery } from './keys.api.ts';
import { Keys } from './keys.tsx';

test('the dialog of a new key stays open until it shows the key, which is shown only once', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const none = { items: [], device_keys: { items: [], total: 0 } };
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (_path: string, { method }: RequestInit) =>
    method === 'POST' ? response.promise : Promise.resolve(new Response(JSON.stringify(none))),
  );
  const client = new QueryClient();
  client.setQueryData(keysQuery.queryKey, none);
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <KeysProvider>
            <NowProvider>
              <Keys id="keys" />
            </NowProvider>
          </KeysProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  const press = (label: string) =>
    act(async () =>
      [...container.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.click(),
    );
  await press(t.account.keys.create);
  const name = container.querySelector<HTMLInputElement>('dialog input')!;
  await act(async () => {
    name.setRangeText('gateway');
    name.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const form = container.querySelector('form')!;
  await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  await press('Cancel');
  const created = { id: 'k1', name: 'gateway', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
  await act(async () => response.resolve(new Response(JSON.stringify(created))));
  await act(() => vi.waitFor(() => expect(container.querySelector('dialog')?.textContent).toContain('sk_secret')));
  await act(async () => root.unmount());
  await vi.waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]));
  client.clear();
});
