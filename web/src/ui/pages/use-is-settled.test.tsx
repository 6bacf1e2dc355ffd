import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { lazyPart, loading } from './lazy.tsx';
import { useIsSettled } from './use-is-settled.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
beforeEach(() => {
  vi.useFakeTimers();
  // A part of an earlier file in this worker may load for ever.
  loading.parts = 0;
});

let renders = 0;
function Page() {
  renders++;
  return String(useIsSettled());
}
const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

async function showPage() {
  const client = new QueryClient();
  const answer = Promise.withResolvers<string>();
  void client.prefetchQuery({ queryKey: ['list'], queryFn: () => answer.promise });
  const page = document.createElement('div');
  await act(async () =>
    createRoot(page).render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
  return { page, client, answer };
}

test('a page is settled a moment after its data has arrived', async () => {
  const { page, answer } = await showPage();
  await pass(2000);
  expect(page.textContent).toBe('false');
  answer.resolve('rows');
  await pass(200);
  expect(page.textContent).toBe('false');
  await pass(200);
  expect(page.textContent).toBe('true');
});

test('a page is not settled while the code of a part loads', async () => {
  const { page, answer } = await showPage();
  const code = Promise.withResolvers<() => null>();
  const loaded = lazyPart(() => code.promise).preload();
  answer.resolve('rows');
  await pass(5000);
  expect(page.textContent).toBe('false');
  code.resolve(() => null);
  await act(() => loaded);
  await pass(400);
  expect(page.textContent).toBe('true');
});

test('a page is not settled while a slow device renders, nor if it then requests more', async () => {
  const idle: IdleRequestCallback[] = [];
  vi.stubGlobal('requestIdleCallback', (callback: IdleRequestCallback) => idle.push(callback));
  const endPause = () =>
    act(async () => idle.splice(0).forEach((callback) => callback({ didTimeout: false, timeRemaining: () => 50 })));
  const { page, client, answer } = await showPage();
  answer.resolve('rows');
  await pass(5000);
  expect(page.textContent).toBe('false');
  const symbols = Promise.withResolvers<string>();
  void client.prefetchQuery({ queryKey: ['map'], queryFn: () => symbols.promise });
  await endPause();
  expect(page.textContent).toBe('false');
  symbols.resolve('symbols');
  await pass(400);
  await endPause();
  expect(page.textContent).toBe('true');
  vi.unstubAllGlobals();
});

test('a request that hangs delays it by at most ten seconds', async () => {
  const { page } = await showPage();
  await pass(9900);
  expect(page.textContent).toBe('false');
  await pass(200);
  expect(page.textContent).toBe('true');
});

test('requests do not render the page again', async () => {
  const { client, answer } = await showPage();
  answer.resolve('rows');
  await pass(1000);
  renders = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  void client.prefetchQuery({ queryKey: ['map'], queryFn: () => promise });
  await pass(100);
  resolve('symbols');
  await pass(100);
  expect(renders).toBe(0);
});
