import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mock } from 'vitest';
import { usePendingPhase, useUndoableMutation } from '../api/pending-actions.ts';
import { UndoButton } from '../bulk/undo-button.tsx';
import { KeysProvider } from '../ui/keys-provider.tsx';
import { UndoToasts } from './undo-toasts.tsx';

let root: Root;
let send: Mock<() => Promise<void>>;

function Page() {
  const destroy = useUndoableMutation<string>({
    key: (key) => key,
    label: () => 'Destroying Sensor 3',
    doneLabel: () => 'Sensor 3 destroyed',
    mutationFn: () => send(),
    onError: () => undefined,
  });
  return (
    <>
      <p>{usePendingPhase('one') ?? 'at rest'}</p>
      <main>
        <UndoButton action="one">Undo</UndoButton>
      </main>
      <button type="button" id="destroy" onClick={() => destroy.mutate('one')}>
        Destroy
      </button>
      <button type="button" id="destroy-other" onClick={() => destroy.mutate('two')}>
        Destroy
      </button>
    </>
  );
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  send = vi.fn<() => Promise<void>>(async () => undefined);
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <KeysProvider>
          <Page />
          <UndoToasts />
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  // jsdom moves the focus on by an interval, and the window outlives this file
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

const add = () => act(async () => document.querySelector<HTMLElement>('#destroy')?.click());
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));
const undo = () => document.querySelector<HTMLElement>('section button');

it('shows a pending action and its seconds, in its toast and in its row', async () => {
  await add();
  await pass(2000);
  expect(document.querySelector('section')?.textContent).toContain('Destroying Sensor 3');
  expect(undo()?.textContent).toContain('Undo (8 s)');
  expect(document.querySelector('p')?.textContent).toBe('pending');
});

it('undoes an action by a click and by Z', async () => {
  await add();
  await act(async () => undo()?.click());
  await add();
  await act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true })));
  await pass(20_000);
  expect(send).not.toHaveBeenCalled();
  expect(document.querySelector('p')?.textContent).toBe('at rest');
});

it('announces what can be undone and how, what was undone, and what was done', async () => {
  const announced = () => document.querySelector('output')?.textContent;
  await add();
  expect(announced()).toBe('Destroying Sensor 3. You have 10 seconds to undo it: press Z.');
  await act(async () => undo()?.click());
  expect(announced()).toBe('Undone: Destroying Sensor 3');
  await add();
  await pass(10_000);
  expect(announced()).toBe('Sensor 3 destroyed');
});

it('stops the countdown while an Undo button in a row has focus', async () => {
  await add();
  const inRow = () => document.querySelector<HTMLElement>('main button')!;
  await act(async () => inRow().focus());
  await pass(60_000);
  expect(send).not.toHaveBeenCalled();
  await act(async () => inRow().blur());
  await pass(10_000);
  expect(send).toHaveBeenCalledOnce();
});

it('stops the countdown while the toast has focus', async () => {
  await add();
  await act(async () => undo()?.focus());
  await pass(60_000);
  expect(send).not.toHaveBeenCalled();
  await act(async () => undo()?.blur());
  await pass(10_000);
  expect(send).toHaveBeenCalledOnce();
});

it('returns the focus of an undone toast to where it came from', async () => {
  await add();
  await act(async () => document.querySelector<HTMLElement>('#destroy-other')?.focus());
  await act(async () => undo()?.focus());
  await act(async () =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true })),
  );
  expect(undo()).toBeNull();
  expect(document.activeElement?.id).toBe('destroy-other');
});

it('continues another countdown when the focused toast is undone', async () => {
  await add();
  await act(async () => document.querySelector<HTMLElement>('#destroy-other')?.click());
  await act(async () => undo()?.focus());
  await act(async () => undo()?.click());
  expect(document.querySelectorAll('section button')).toHaveLength(1);
  await pass(10_000);
  expect(send).toHaveBeenCalledOnce();
});
