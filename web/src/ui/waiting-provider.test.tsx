import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mock } from 'vitest';
import { KeysProvider } from './keys-provider.tsx';
import { useWaiting } from './use-waiting.ts';
import { useWaitingItem, WaitingProvider } from './waiting-provider.tsx';

const words = { region: 'Waiting', undo_in: (seconds: string) => `Undo (${seconds} s)`, sending: 'Sending' };
let root: Root;
let send: Mock<() => Promise<void>>;

function Page() {
  const waiting = useWaiting();
  const destroy = (key = 'one') =>
    waiting.add({ key, label: 'Destroying Sensor 3', send: () => send(), onRefused: () => undefined });
  return (
    <>
      <p>{useWaitingItem('one') ?? 'at rest'}</p>
      <button type="button" id="destroy" onClick={() => destroy()}>
        Destroy
      </button>
      <button type="button" id="destroy-other" onClick={() => destroy('two')}>
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
      <KeysProvider>
        <WaitingProvider words={words}>
          <Page />
        </WaitingProvider>
      </KeysProvider>,
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

it('shows what waits and how long, in its notice and in its row', async () => {
  await add();
  await pass(2000);
  expect(document.querySelector('section')?.textContent).toContain('Destroying Sensor 3');
  expect(undo()?.textContent).toContain('Undo (8 s)');
  expect(document.querySelector('p')?.textContent).toBe('waiting');
});

it('takes it back at a click, and by Z', async () => {
  await add();
  await act(async () => undo()?.click());
  await add();
  await act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true })));
  await pass(20_000);
  expect(send).not.toHaveBeenCalled();
  expect(document.querySelector('p')?.textContent).toBe('at rest');
});

it('stops the time while the notice has focus', async () => {
  await add();
  await act(async () => undo()?.focus());
  await pass(60_000);
  expect(send).not.toHaveBeenCalled();
  await act(async () => undo()?.blur());
  await pass(10_000);
  expect(send).toHaveBeenCalledOnce();
});

it('goes on when the focused notice is undone by the keyboard while another one waits', async () => {
  await add();
  await act(async () => document.querySelector<HTMLElement>('#destroy-other')?.click());
  await act(async () => undo()?.focus());
  await act(async () => undo()?.click());
  expect(document.querySelectorAll('section button')).toHaveLength(1);
  await pass(10_000);
  expect(send).toHaveBeenCalledOnce();
});

it('sends what waits when the page is left', async () => {
  await add();
  await act(async () => window.dispatchEvent(new Event('pagehide')));
  expect(send).toHaveBeenCalledOnce();
});
