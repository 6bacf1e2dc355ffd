import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { CreateSwarm } from './create-swarm.tsx';

afterEach(() => sessionStorage.clear());

test('the draft of a swarm is deleted when the swarm was created, although its dialog was closed before', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const key = 'draft:swarm:undefined';
  sessionStorage.setItem(key, JSON.stringify({ name: 'Harbour' }));
  const onCreated = vi.fn<() => void>();
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <KeysProvider>
          <CreateSwarm onClose={() => undefined} onCreated={onCreated} />
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
  const form = container.querySelector('form')!;
  await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  await act(async () => root.unmount());
  expect(sessionStorage.getItem(key)).toContain('Harbour');
  await act(async () => response.resolve(new Response('{"id":"s1"}')));
  await vi.waitFor(() => expect(sessionStorage.getItem(key)).toBeNull());
  expect(onCreated).not.toHaveBeenCalled();
});
