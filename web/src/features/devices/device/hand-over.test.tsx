import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { loadTexts, t } from '../../../text/text.ts';
import { KeysProvider } from '../../../ui/keys-provider.tsx';
import { ToastProvider } from '../../../ui/toast.tsx';
import { HandOverDialog, HandoverNote } from './hand-over.tsx';

beforeAll(() => loadTexts('en'));

const device = { id: 'd', name: 'Buoy', user_id: 'ann' } as Resource;

function Page() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <HandOverDialog device={device} user_id="ann" onClose={() => setOpen(false)} />;
}

test('an offer that could not be undone says so, although its dialog is closed', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'DELETE' ? Response.json({ code: 'handover.missing' }, { status: 409 }) : Response.json({}),
  );
  const client = new QueryClient();
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <KeysProvider>
          <ToastProvider>
            <Page />
          </ToastProvider>
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
  const name = container.querySelector<HTMLInputElement>('dialog input')!;
  await act(async () => {
    name.setRangeText('bob');
    name.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const form = container.querySelector('form')!;
  await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  const undo = () => [...document.querySelectorAll('button')].find((each) => each.textContent === t.shell.kit.undo);
  await act(() => vi.waitFor(() => expect(undo()).toBeDefined()));
  await act(() => vi.waitFor(() => expect(container.querySelector('dialog')).toBeNull()));
  await act(async () => undo()!.click());
  await act(() => vi.waitFor(() => expect(container.querySelector('.toasts .notice-bad')).not.toBeNull()));
  await act(async () => root.unmount());
  container.remove();
  client.clear();
});

test.each([
  ['that could not be read is not shown as none', () => Promise.reject(new TypeError('no network')), 'error'],
  ['that does not exist is shown as none', async () => new Response(null, { status: 204 }), 'success'],
])('an offer %s', async (_, answer, status) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', answer);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HandoverNote resource_id="d" />
      </QueryClientProvider>,
    ),
  );
  await act(() => vi.waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).toBe(status)));
  const hasNote = () => container.textContent.includes(t.handover.note_failed);
  await act(() => vi.waitFor(() => expect(hasNote()).toBe(status === 'error')));
  await act(async () => root.unmount());
  client.clear();
});
