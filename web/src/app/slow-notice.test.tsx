import { MutationObserver, QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hourMs } from '@swarmdeck/bff/durations';
import { send } from '../data/client.ts';
import { forgetPage } from '../data/new-page.ts';
import { observeServerTime } from '../data/server-clock.ts';
import { NowProvider } from '../ui/texts/time.tsx';
import { SlowNotice } from './slow-notice.tsx';

const page = document.createElement('div');
let client: QueryClient;
let root: Root;
let answer: (data: string) => void;

/** A page that shows data of this age, and has asked for newer. */
async function show(age: number) {
  client.setQueryData(['devices'], 'stored', { updatedAt: Date.now() - age });
  const queryFn = () => new Promise<string>((resolve) => (answer = resolve));
  new QueryObserver(client, { queryKey: ['devices'], queryFn, staleTime: 0 }).subscribe(() => undefined);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <NowProvider>
          <SlowNotice />
        </NowProvider>
      </QueryClientProvider>,
    ),
  );
}
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  // Another test in this worker may have had a live stream.
  forgetPage();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  client = new QueryClient();
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  client.clear();
});

test('while the server takes long, the page says how old it is, and no longer once it has answered', async () => {
  await show(2 * hourMs);
  await pass(1000);
  expect(page.textContent).toBe('');
  await pass(5000);
  expect(page.textContent).toMatch(/^The server answers slowlyAs of 2 hr/);
  answer('new');
  await pass(100);
  expect(page.textContent).toBe('');
});

test.each([-3 * hourMs, 3 * hourMs])('the age is right on a machine whose clock is wrong by %d ms', async (wrongBy) => {
  observeServerTime({ date: new Date(Date.now() - wrongBy).toUTCString(), now: Date.now() });
  await show(2 * hourMs);
  await pass(6000);
  expect(page.textContent).toMatch(/^The server answers slowlyAs of 2 hr/);
});

test('data of the last minute has no age', async () => {
  await show(10_000);
  await pass(6000);
  expect(page.textContent).toBe('');
});

const save = () =>
  new MutationObserver(client, {
    mutationFn: () => send({ method: 'PUT', path: '/service/resources/1', body: {} }),
  }).mutate();

test('a change that is not answered has a notice, until it is', async () => {
  const answers = vi.spyOn(globalThis, 'fetch');
  const { promise, resolve } = Promise.withResolvers<Response>();
  answers.mockReturnValueOnce(promise);
  await show(10_000);
  const sent = save();
  await pass(4000);
  expect(page.textContent).toBe('');
  await pass(2000);
  expect(page.textContent).toBe('The server answers slowly');
  resolve(new Response(null, { status: 204 }));
  await sent;
  await pass(100);
  expect(page.textContent).toBe('');
});

test('changes that are answered one after the other are not slow', async () => {
  await show(10_000);
  for (let each = 0; each < 4; each += 1) {
    const { promise, resolve } = Promise.withResolvers<Response>();
    vi.spyOn(globalThis, 'fetch').mockReturnValueOnce(promise);
    const sent = save();
    await pass(2000);
    resolve(new Response(null, { status: 204 }));
    await sent;
  }
  await pass(2000);
  expect(page.textContent).toBe('');
});
