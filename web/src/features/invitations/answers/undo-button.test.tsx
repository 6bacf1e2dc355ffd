import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { KeysProvider } from '../../../ui/keys-provider.tsx';
import { ToastProvider } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { WaitingProvider } from '../../../ui/waiting-provider.tsx';
import type { Waiting } from '../../../ui/waiting.ts';
import { UndoButton } from './undo-button.tsx';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

test('an answer is sent after its focused Undo button has been removed with its page', async () => {
  let waiting: Waiting | undefined;
  function Row({ shown }: { shown: boolean }) {
    waiting = useWaiting();
    const job = { key: 'answer:1', answer: 'reject', state: 'waiting', total: 1, done: 0, refused: 0 } as const;
    return shown && <UndoButton job={job} id="1" />;
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const render = (shown: boolean) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={new QueryClient()}>
          <KeysProvider>
            <ToastProvider label="Notices">
              <WaitingProvider words={{ region: 'Pending', undo_in: (seconds) => seconds, sending: 'Sending' }}>
                <Row shown={shown} />
              </WaitingProvider>
            </ToastProvider>
          </KeysProvider>
        </QueryClientProvider>,
      ),
    );
  await render(true);
  const send = vi.fn<() => Promise<void>>(async () => undefined);
  await act(async () => waiting?.add({ key: 'answer:1', label: 'Rejecting', send, onRefused: () => undefined }));
  await act(async () => document.querySelector<HTMLElement>('button')?.focus());
  await act(async () => vi.advanceTimersByTimeAsync(60_000));
  expect(send).not.toHaveBeenCalled();

  await render(false);
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(send).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
});
