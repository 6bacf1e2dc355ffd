import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { useResend } from './forms/use-resend.ts';
import { useOffline, useUnreachable } from './unreachable.ts';
import { OfflineError } from './problem.ts';
import { forgetPage } from './new-page.ts';
import { setLiveState } from './stream/connection-status.ts';

afterEach(() => {
  setLiveState(undefined);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function setUp({ unsent = true } = {}) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const hasNetwork = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const back = vi.fn<() => void>();
  let offline: boolean | undefined;
  let since: number | null | undefined;
  function Page() {
    useResend(unsent ? 1 : null, back);
    offline = useOffline();
    since = useUnreachable()?.since;
    return null;
  }
  const client = new QueryClient();
  let reachable = true;
  const queryFn = async () => {
    if (!reachable) throw new OfflineError();
    return 'data';
  };
  const stop = new QueryObserver(client, {
    queryKey: ['account'],
    queryFn,
    retry: false,
    networkMode: 'always',
  }).subscribe(() => undefined);
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
  const refetch = (answers: boolean, queryKey: string[] = []) =>
    act(async () => {
      reachable = answers;
      await client.refetchQueries({ queryKey });
      // TanStack Query notifies its subscribers in a later task.
      await new Promise((resolve) => setTimeout(resolve));
    });
  const network = (there: boolean) =>
    act(async () => {
      hasNetwork.mockReturnValue(there);
      dispatchEvent(new Event(there ? 'online' : 'offline'));
    });
  const end = async () => {
    stop();
    await act(async () => root.unmount());
  };
  return {
    back,
    refetch,
    network,
    end,
    client,
    offline: () => offline,
    since: () => since,
    query: client.getQueryCache().getAll()[0]!,
  };
}

test('what was not sent is sent once when the server can be reached again', async () => {
  const { back, refetch, end } = await setUp();
  await refetch(false);
  await refetch(false);
  expect(back).not.toHaveBeenCalled();
  await refetch(true);
  await refetch(true);
  await vi.waitFor(() => expect(back).toHaveBeenCalledOnce());
  await end();
});

test('it is sent again if only its own request has not reached the server', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { back, end } = await setUp();
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(back).toHaveBeenCalledOnce();
  await end();
  vi.useRealTimers();
});

test('nothing is sent if everything is saved', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { back, end } = await setUp({ unsent: false });
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(back).not.toHaveBeenCalled();
  await end();
  vi.useRealTimers();
});

test('the app is offline only if the browser has no network and the server cannot be reached', async () => {
  const { refetch, network, end, offline } = await setUp();
  await network(false);
  expect(offline()).toBe(false);
  await refetch(false);
  expect(offline()).toBe(true);
  await network(true);
  expect(offline()).toBe(false);
  await end();
});

test('what it says of the age of the data stays the same while the stream is live', async () => {
  setLiveState('live');
  const { refetch, end, since, query, client } = await setUp();
  client.setQueryData(['devices'], 'read');
  const stop = new QueryObserver(client, { queryKey: ['devices'], staleTime: Infinity }).subscribe(() => undefined);
  await refetch(false, ['account']);
  expect(since()).toBe(query.state.errorUpdatedAt);
  stop();
  await end();
});

test('a page that shows nothing that ages has no age, although the account was read before', async () => {
  // Another test had a live stream.
  forgetPage();
  const { refetch, end, since, client } = await setUp();
  const shown = ['activity', 'list'];
  const queryFn = () => Promise.reject(new OfflineError());
  const stop = new QueryObserver(client, { queryKey: shown, queryFn, retry: false }).subscribe(() => undefined);
  await refetch(false, ['account']);
  expect(since()).toBeNull();
  const updatedAt = Date.now() - 600_000;
  await act(async () => client.setQueryData(shown, 'read', { updatedAt }));
  await refetch(false, ['account']);
  expect(since()).toBe(updatedAt);
  stop();
  await end();
});

test('the age is that of the oldest data on the screen from the beginning, whichever part is read again', async () => {
  // Another test had a live stream.
  forgetPage();
  const { refetch, end, since, client } = await setUp();
  const updatedAt = Date.now() - 600_000;
  let answers = false;
  const queryFn = async () => {
    if (!answers) throw new OfflineError();
    return 'new';
  };
  client.setQueryData(['devices'], 'old', { updatedAt });
  const stop = new QueryObserver(client, {
    queryKey: ['devices'],
    queryFn,
    retry: false,
    staleTime: Infinity,
  }).subscribe(() => undefined);
  await refetch(false, ['account']);
  expect(since()).toBe(updatedAt);
  await refetch(false);
  expect(since()).toBe(updatedAt);
  answers = true;
  await refetch(false);
  expect(since()).not.toBe(updatedAt);
  stop();
  await end();
});

test('while the stream is live and only one read has failed, the age stands still', async () => {
  const { refetch, end, since, client } = await setUp();
  client.setQueryData(['devices'], 'read', { updatedAt: Date.now() - 600_000 });
  const queryFn = async () => 'new';
  const stop = new QueryObserver(client, { queryKey: ['devices'], queryFn, staleTime: Infinity }).subscribe(
    () => undefined,
  );
  setLiveState('live');
  await refetch(false, ['account']);
  const failedAt = client.getQueryState(['account'])!.errorUpdatedAt;
  expect(since()).toBe(failedAt);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await refetch(true, ['devices']);
  expect(since()).toBe(failedAt);
  stop();
  await end();
});

test('it stands still also if the clock was put back', async () => {
  const { refetch, end, since, client } = await setUp();
  client.setQueryData(['devices'], 'read', { updatedAt: Date.now() - 600_000 });
  const queryFn = async () => 'new';
  const stop = new QueryObserver(client, { queryKey: ['devices'], queryFn, staleTime: Infinity }).subscribe(
    () => undefined,
  );
  setLiveState('live');
  await refetch(false, ['account']);
  const failedAt = client.getQueryState(['account'])!.errorUpdatedAt;
  let now = failedAt - 300_000;
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 1));
  await act(async () => client.setQueryData(['devices'], 'read', { updatedAt: failedAt - 600_000 }));
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  expect(since()).toBe(failedAt);
  stop();
  await end();
});
