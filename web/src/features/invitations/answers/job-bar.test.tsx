import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { pendingActionsOf } from '../../../api/pending-actions.ts';
import { ToastProvider } from '../../../ui/toast.tsx';
import type { AnswerJob } from './answers.job.tsx';
import { UndoButton } from './job-bar.tsx';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

test('an answer is sent after its focused Undo button has been removed with its page', async () => {
  const client = new QueryClient();
  const pending = pendingActionsOf({ client });
  const job = { key: 'answers:1', about: { answer: 'reject' }, state: 'pending', total: 1 } as AnswerJob;
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const render = (shown: boolean) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <ToastProvider label="Notices">{shown && <UndoButton job={job} id="1" />}</ToastProvider>
        </QueryClientProvider>,
      ),
    );
  await render(true);
  const send = vi.fn<() => Promise<void>>(async () => undefined);
  await act(async () => pending.add({ key: 'answers:1', label: 'Rejecting', send, onError: () => undefined }));
  await act(async () => container.querySelector<HTMLElement>('button')!.focus());
  await act(async () => vi.advanceTimersByTimeAsync(60_000));
  expect(send).not.toHaveBeenCalled();

  await render(false);
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(send).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
  container.remove();
});
