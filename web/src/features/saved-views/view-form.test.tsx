import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { ToastProvider } from '../../ui/toast.tsx';
import { ViewForm } from './views-box.tsx';

test('the suggested name gets the name of the swarm when that has loaded', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ items: [] }));
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const client = new QueryClient();
  const id = '01a21659-d1ce-7000-9015-ea0584c45b62';
  const container = document.createElement('div');
  const root = createRoot(container);
  const show = (swarms: { id: string; name: string }[]) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <KeysProvider>
            <ToastProvider>
              <ViewForm shown={{ url: `/swarms/${id}/map`, swarms }} onClose={() => undefined} />
            </ToastProvider>
          </KeysProvider>
        </QueryClientProvider>,
      ),
    );
  await show([]);
  expect(container.querySelector('input')?.value).toContain('a swarm you can’t see');
  await show([{ id, name: 'Harbour' }]);
  expect(container.querySelector('input')?.value).toBe('Wall · Harbour');
  await act(async () => root.unmount());
  client.clear();
});
