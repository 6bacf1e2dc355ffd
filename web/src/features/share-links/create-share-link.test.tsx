import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys-provider.tsx';
import { NowProvider } from '../../ui/time.tsx';
import { CreateShareLink } from './create-share-link.tsx';

afterEach(() => vi.unstubAllGlobals());

test('the dialog of a new link stays open until it shows the link, which is shown only once', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const [onClose, onCreated] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const client = new QueryClient();
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <KeysProvider>
          <NowProvider>
            <CreateShareLink of={{ swarm_id: 's1' }} device={undefined} onClose={onClose} onCreated={onCreated} />
          </NowProvider>
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
  const name = container.querySelector<HTMLInputElement>('dialog input')!;
  await act(async () => {
    name.setRangeText('For Eve');
    name.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const form = container.querySelector('form')!;
  await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  const cancel = [...container.querySelectorAll('button')].find((button) => button.textContent === t.shell.kit.cancel);
  await act(async () => cancel?.click());
  expect(onClose).not.toHaveBeenCalled();
  await act(async () =>
    response.resolve(new Response(JSON.stringify({ id: 'l1' }), { headers: { 'x-swarmdeck': '1' } })),
  );
  await act(() => vi.waitFor(() => expect(onCreated).toHaveBeenCalled()));
  // The dialog knows it a moment later.
  await act(() =>
    vi.waitFor(() => {
      cancel?.click();
      expect(onClose).toHaveBeenCalled();
    }),
  );
  await act(async () => root.unmount());
  client.clear();
});
