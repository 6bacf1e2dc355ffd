import { focusManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { problem } from '../data/actions/actions.fixture.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { forgetPage } from '../data/new-page.ts';
import { announceSignIn, announceSignOut } from '../shared/account/session-tabs.ts';
import { NowProvider } from '../ui/texts/time.tsx';
import { useUnsavedInput } from '../ui/fields/unsaved-input.ts';
import { SessionGate } from './session-gate.tsx';
// Loaded already, because the clock of the tests stands still.
import '../features/sign-in/gate-parts.ts';
import { waitFor } from '../ui/wait-for.fixture.ts';

const endInBrowser = vi.hoisted(() => vi.fn<(options: object) => Promise<void>>());
// They load in real time, which would decide whether the test shows them.
vi.mock('./live.ts', () => ({ Live: () => null, endInBrowser }));
vi.mock('../features/sign-in/sign-in-again.tsx', () => ({ SignInAgain: () => null }));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  forgetPage();
});

const newAccount = () => ({
  user_id: 'ann',
  session_expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
});

function gateOf(client: QueryClient, page: ReactNode) {
  return (
    <QueryClientProvider client={client}>
      <NowProvider>
        <MemoryRouter>
          <SessionGate>{page}</SessionGate>
        </MemoryRouter>
      </NowProvider>
    </QueryClientProvider>
  );
}

it('lets no query poll once the session has ended, until the user has signed in again, even in another tab', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  let isSignedIn = true;
  const account = newAccount();
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/auth/options') return Response.json({ providers: [] });
    return isSignedIn ? Response.json(account) : problem('session.missing', 401);
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.account, account);
  const read = vi.fn<() => number>(() => 1);
  function Page() {
    useQuery({ queryKey: queryKeys.tiles, queryFn: read, refetchInterval: 1000 });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(gateOf(client, <Page />)));
  const readsIn = async (ms: number) => {
    read.mockClear();
    await act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
    return read.mock.calls.length;
  };
  const ask = () => act(async () => client.refetchQueries({ queryKey: queryKeys.account }));
  expect(await readsIn(10_000)).toBe(10);
  isSignedIn = false;
  await ask();
  expect(await readsIn(10_000)).toBe(0);
  isSignedIn = true;
  localStorage.setItem('signed_in', 'yes');
  dispatchEvent(new StorageEvent('storage', { key: 'signed_in' }));
  // It says so itself: this page need not ask.
  expect(await readsIn(3000)).toBeGreaterThanOrEqual(3);
  await act(async () => root.unmount());
  client.clear();
});

it.each([
  { what: 'without input leads to the sign-in page', typed: '', isKept: false },
  { what: 'in which the user has typed something is covered', typed: 'North', isKept: true },
])('a stored page whose session turns out to have ended, $what', async ({ typed, isKept }) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('location', { replace: () => undefined });
  vi.stubGlobal('fetch', async () => problem('session.missing', 401));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  // As `hydrate` does it.
  const state = { data: newAccount(), dataUpdatedAt: Date.now(), dataUpdateCount: 0, status: 'success' as const };
  const query = client.getQueryCache().build(client, { queryKey: queryKeys.account });
  query.setState(state);
  function Form() {
    useUnsavedInput(typed !== '');
    return <input defaultValue={typed} />;
  }
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(gateOf(client, <Form />)));
  expect(page.querySelector('input')).not.toBeNull();
  await act(async () => client.refetchQueries({ queryKey: queryKeys.account }));
  // The page knows it: no query polls any more.
  await waitFor(() => expect(focusManager.isFocused()).toBe(false));
  expect(page.querySelector('input') !== null).toBe(isKept);
  await act(async () => root.unmount());
  client.clear();
});

const inAnotherTab = (change: () => void) => {
  change();
  dispatchEvent(new StorageEvent('storage', { key: 'session_user' }));
};

it.each([
  { when: 'the user signs out', end: () => announceSignOut() },
  {
    when: 'the user signs out in another tab',
    end: () => inAnotherTab(() => localStorage.setItem('session_user', '')),
  },
  { when: 'another user signs in in another tab', end: () => inAnotherTab(() => announceSignIn('ben')) },
])('a page with input is covered at once when $when, also if the server does not answer', async ({ end }) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let request = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => request.promise);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.account, newAccount());
  function Form() {
    useUnsavedInput(true);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(gateOf(client, <Form />)));
  await act(async () => end());
  await waitFor(() => expect(focusManager.isFocused()).toBe(false));
  await act(async () => request.reject(new TypeError('no network')));
  expect(focusManager.isFocused()).toBe(false);
  request = Promise.withResolvers();
  await act(async () => void client.refetchQueries({ queryKey: queryKeys.account }));
  await act(async () => request.resolve(Response.json(newAccount())));
  await waitFor(() => expect(focusManager.isFocused()).toBe(true));
  await act(async () => root.unmount());
  client.clear();
});

it('a page whose session has ended stays covered when the server cannot be reached any more', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let answer = async () => problem('session.missing', 401);
  vi.stubGlobal('fetch', () => answer());
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.account, newAccount());
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(gateOf(client, null)));
  await act(async () => client.refetchQueries({ queryKey: queryKeys.account }));
  await waitFor(() => expect(focusManager.isFocused()).toBe(false));
  answer = () => Promise.reject(new TypeError('no network'));
  await act(async () => client.refetchQueries({ queryKey: queryKeys.account }));
  expect(focusManager.isFocused()).toBe(false);
  await act(async () => root.unmount());
  client.clear();
});

it('a page that is kept while another user is signed in does not say that nobody is', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let user_id = 'ann';
  vi.stubGlobal('fetch', async () => Response.json({ ...newAccount(), user_id }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.account, newAccount());
  function Form() {
    useUnsavedInput(true);
    return <input defaultValue="North" />;
  }
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(gateOf(client, <Form />)));
  user_id = 'ben';
  announceSignIn('ben');
  await act(async () => void dispatchEvent(new StorageEvent('storage', { key: 'session_user' })));
  // The page is covered.
  await waitFor(() => expect(focusManager.isFocused()).toBe(false));
  expect(page.querySelector('input')).not.toBeNull();
  expect(localStorage.getItem('signed_in')).toBe('yes');
  expect(localStorage.getItem('session_user')).toBe('ben');
  await act(async () => root.unmount());
  client.clear();
});

const signedOutElsewhere = () => inAnotherTab(() => localStorage.setItem('session_user', ''));

it.each([
  { when: 'the user has signed out in another tab', end: signedOutElsewhere, typed: 'North' },
  { when: 'the session has expired', end: () => undefined, typed: 'North' },
  { when: 'the session has expired', end: () => undefined, typed: '' },
  { when: 'the session has not ended for it', typed: 'North' },
  { when: 'the session has not ended for it', typed: '' },
])(
  'an account of another user, whose sign-in no tab has announced, does not show the page after $when: "$typed"',
  async ({ end, typed }) => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const assign = vi.fn<(url: string) => void>();
    vi.stubGlobal('location', { assign });
    let answer = () => (end ? problem('session.missing', 401) : Response.json({ ...newAccount(), user_id: 'ben' }));
    vi.stubGlobal('fetch', async () => answer());
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    client.setQueryData(queryKeys.account, newAccount());
    function Form() {
      useUnsavedInput(typed !== '');
      return <input defaultValue={typed} />;
    }
    const root = createRoot(document.createElement('div'));
    await act(async () => root.render(gateOf(client, <Form />)));
    const read = () => act(async () => client.refetchQueries({ queryKey: queryKeys.account }));
    if (end) {
      await act(async () => end());
      await read();
      await waitFor(() => expect(focusManager.isFocused()).toBe(false));
      answer = () => Response.json({ ...newAccount(), user_id: 'ben' });
    }
    await read();
    await read();
    expect(client.getQueryData(queryKeys.account)).toMatchObject({ user_id: 'ann' });
    await waitFor(() =>
      expect([focusManager.isFocused(), localStorage.getItem('session_user')]).toEqual([false, 'ben']),
    );
    await waitFor(() => expect(assign.mock.calls.flat()).toEqual(typed ? [] : ['/']));
    expect(document.documentElement.hidden).toBe(typed === '');
    if (typed) {
      answer = () => Response.json(newAccount());
      await read();
      await waitFor(() => expect(focusManager.isFocused()).toBe(true));
    }
    await act(async () => root.unmount());
    client.clear();
    document.documentElement.hidden = false;
  },
);

it('what a user whose session has ended has left is deleted when another one signs in, also from a page without input', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  endInBrowser.mockClear();
  // "Another user" leads to the sign-in page, and from there to this one.
  localStorage.setItem('session_user', 'ann');
  localStorage.setItem('code_label', 'name');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.account, { ...newAccount(), user_id: 'ben' });
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(gateOf(client, null)));
  expect([localStorage.getItem('session_user'), localStorage.getItem('code_label')]).toEqual(['ben', null]);
  await waitFor(() => expect(endInBrowser.mock.calls).toEqual([[{ user_id: 'ben', end: 'by_another' }]]));
  await act(async () => root.unmount());
  client.clear();
});

it.each([
  { when: 'while this page reads the account closes it', reads: [200, 401], next: ['/sign-in'], user: '' },
  { when: 'before the user signed in again does not', reads: [200, 200], next: [], user: 'ann' },
])('a sign-out in another tab $when', async ({ reads, next, user }) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  // This page does not listen yet when the other tab writes it.
  localStorage.setItem('session_user', '');
  const answers = [...reads];
  vi.stubGlobal('fetch', async () =>
    answers.shift() === 200 ? Response.json(newAccount()) : problem('session.missing', 401),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(gateOf(client, null)));
  await waitFor(() => expect(answers).toEqual([]));
  await waitFor(() => expect(assign.mock.calls.flat()).toEqual(next));
  await waitFor(() => expect(localStorage.getItem('session_user')).toBe(user));
  await act(async () => root.unmount());
  client.clear();
  document.documentElement.hidden = false;
});
