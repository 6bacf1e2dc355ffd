import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { NewCodes } from '../features/sign-in/recovery/new-codes.tsx';
import { RecoveryBox } from '../features/sign-in/recovery/recovery-box.tsx';
import { recoveryCodesQuery } from '../features/sign-in/recovery/recovery.api.ts';
import { signInOptionsQuery } from '../features/sign-in/sign-in.api.ts';
import { Component as SignIn } from '../routes/sign-in.tsx';
import { loadTexts, t } from '../text/text.ts';
import { KeysProvider } from '../ui/keys/keys-provider.tsx';
import { ToastProvider } from '../ui/toasts/toast.tsx';
import { accountQuery } from '../shared/account/account.api.ts';
import { remembered } from '../shared/account/session-tabs.ts';
import { UnstoredCodes } from '../shared/account/unstored-codes.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
let root: Root;
let client: QueryClient;
let container: HTMLElement;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  container = document.body.appendChild(document.createElement('div'));
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  client.clear();
  remembered.set('unknown');
});

async function render(page: ReactNode, { account, url = '/' }: { account?: Partial<Account>; url?: string }) {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  if (account) client.setQueryData(accountQuery.queryKey, account as Account);
  client.setQueryData(recoveryCodesQuery.queryKey, { left: 3 });
  client.setQueryData(signInOptionsQuery.queryKey, { sign_up: 'open', providers: [] } as never);
  root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <KeysProvider>
          <ToastProvider>
            <MemoryRouter initialEntries={[url]}>{page}</MemoryRouter>
          </ToastProvider>
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
}
const ann = { user_id: 'ann' };
const unstored = { ...ann, unstored_codes: true } as const;
const buttonOf = (text: string) => [...container.querySelectorAll('button')].find((each) => each.textContent === text);
const press = (text: string) => act(async () => buttonOf(text)!.click());

/** A server that has shown codes. `isAway`: it does not answer. */
function serve() {
  const server = { said: [] as unknown[], account: unstored as Partial<Account>, isAway: false };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (server.isAway) throw new TypeError('no network');
    if (path === '/api/account') return Response.json(server.account);
    if (method === 'POST') return Response.json({ recovery_codes: ['aaaa-bbbb'], set_id: 'newest' });
    if (method === 'PUT') {
      server.said.push(JSON.parse(body as string));
      server.account = ann;
      return new Response(null, { status: 204 });
    }
    return Response.json({ left: 10 });
  });
  return server;
}

test('the user is reminded as long as the server does not know that the codes are stored', async () => {
  await render(<UnstoredCodes />, { account: unstored });
  await waitFor(() => expect(container.textContent).toContain(t.account.recovery.unstored));
  await act(async () => client.setQueryData(accountQuery.queryKey, ann as Account));
  await waitFor(() => expect(container.textContent).toBe(''));
});

test('a page that reminds the user reads again whether the codes are stored, which another tab may have said', async () => {
  const server = serve();
  await render(<UnstoredCodes />, { account: unstored });
  server.account = ann;
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  await act(async () => dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(container.textContent).toBe(''));
});

test('it is read again by itself while both pages are visible', async () => {
  vi.useFakeTimers();
  const server = serve();
  await render(<UnstoredCodes />, { account: unstored });
  server.account = ann;
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  expect(container.textContent).toBe('');
  vi.useRealTimers();
});

test('nobody is reminded while another tab shows the codes, and everybody is once it was closed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const held = [{ name: 'recovery_codes_shown' }];
  vi.stubGlobal('navigator', { onLine: true, locks: { query: async () => ({ held }) } });
  onTestFinished(() => void vi.unstubAllGlobals());
  serve();
  await render(<UnstoredCodes />, { account: unstored });
  await act(async () => vi.advanceTimersByTimeAsync(3_000));
  expect(container.textContent).toBe('');
  held.pop();
  await act(async () => vi.advanceTimersByTimeAsync(3_000));
  expect(container.textContent).toContain(t.account.recovery.unstored);
});

/** The locks of the browser, which pages of this test hold. */
function stubLocks() {
  const locks: { name: string; isHeld: boolean }[] = [];
  const request = async (name: string, _options: object, hold: () => Promise<void>) => {
    const lock = { name, isHeld: true };
    locks.push(lock);
    await hold();
    lock.isHeld = false;
  };
  vi.stubGlobal('navigator', { onLine: true, locks: { request } });
  onTestFinished(() => void vi.unstubAllGlobals());
  return locks;
}

test('a page that shows new codes holds the lock by which other tabs know it', async () => {
  const locks = stubLocks();
  serve();
  const codes = { recovery_codes: ['aaaa-bbbb'], set_id: 'first' };
  await render(<NewCodes user_id="ann" codes={codes} onDone={() => undefined} />, {});
  expect(locks).toEqual([{ name: 'recovery_codes_shown', isHeld: true }]);
  await act(async () => root.render(null));
  expect(locks).toEqual([{ name: 'recovery_codes_shown', isHeld: false }]);
});

test('other tabs know of the codes of a sign-up before the server has made them', async () => {
  const locks = stubLocks();
  serve();
  await render(<SignIn />, { url: '/sign-in' });
  expect(locks).toEqual([]);
  await act(async () => root.unmount());
  await render(<SignIn />, { url: '/sign-in?new=1' });
  expect(locks).toEqual([{ name: 'recovery_codes_shown', isHeld: true }]);
});

function Place() {
  const { pathname, search, hash } = useLocation();
  return pathname === '/sign-in' ? <SignIn /> : <output>{pathname + search + hash}</output>;
}

test.each([
  { account: unstored, url: '/sign-in', to: '/account#recovery' },
  { account: ann, url: '/sign-in', to: '/' },
  { account: unstored, url: '/sign-in?next=%2Fjoin%2Fx', to: '/join/x' },
])('the user goes from $url to $to', async ({ to, ...user }) => {
  serve();
  remembered.set('yes');
  await render(<Place />, user);
  await waitFor(() => expect(container.querySelector('output')?.textContent).toBe(to));
});

test.each([
  { before: null, to: '/?q=a&map=7/48.13/11.57' },
  { before: 'ann', to: '/?q=a&map=7/48.13/11.57' },
  { before: 'bert', to: '/?q=a' },
  { before: '', to: '/?q=a' },
])('after a session of $before, the map is not where a former user looked: $to', async ({ before, to }) => {
  serve();
  remembered.set('yes');
  if (before !== null) localStorage.setItem('session_user', before);
  const next = encodeURIComponent('/?q=a&map=7/48.13/11.57');
  await render(<Place />, { account: ann, url: `/sign-in?next=${next}` });
  expect(container.querySelector('output')?.textContent).toBe(to);
  localStorage.removeItem('session_user');
});

const checkbox = () => container.querySelector<HTMLInputElement>('input[type=checkbox]');
const showCodes = async () => {
  await press(t.account.recovery.make);
  await press(t.account.recovery.make_submit);
  await waitFor(() => expect(checkbox()).not.toBeNull());
};

test('new codes count as stored when the checkbox says that they are', async () => {
  const server = serve();
  await render(<RecoveryBox id="recovery" />, { account: ann });
  await showCodes();
  await waitFor(() => expect(container.textContent).toContain(t.account.recovery.unstored));
  expect(server.said).toEqual([]);
  await act(async () => checkbox()!.click());
  await waitFor(() => expect(container.textContent).not.toContain(t.account.recovery.unstored));
  expect(server.said).toEqual([{ set_id: 'newest' }]);
  // The server knows it now.
  await act(async () => checkbox()!.click());
  expect([checkbox()!.checked, server.said.length]).toEqual([true, 1]);
});

test('without a network the checkbox stays unchecked, and says why', async () => {
  const server = serve();
  await render(<RecoveryBox id="recovery" />, { account: ann });
  await showCodes();
  server.isAway = true;
  await act(async () => checkbox()!.click());
  await waitFor(() => expect(container.querySelector('dialog [role=alert]')?.textContent).toMatch(/./));
  expect(checkbox()!.checked).toBe(false);
  server.isAway = false;
  await act(async () => checkbox()!.click());
  await waitFor(() => expect(server.said).toHaveLength(1));
  await waitFor(() => expect(checkbox()!.checked).toBe(true));
});

test('the codes of a sign-up can be copied and printed', async () => {
  const copied = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText: copied } });
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  serve();
  const codes = { recovery_codes: ['aaaa-bbbb', 'cccc-dddd'], set_id: 'first' };
  await render(<NewCodes user_id="ann" codes={codes} onDone={() => undefined} />, {});
  await press(t.shell.kit.copy);
  expect(copied).toHaveBeenCalledWith('aaaa-bbbb\ncccc-dddd');
  await press(t.account.recovery.print);
  const sheet = document.querySelector('.print-sheet');
  expect(print).toHaveBeenCalledTimes(1);
  for (const text of ['ann', ...codes.recovery_codes]) expect(sheet?.textContent).toContain(text);
  await act(async () => dispatchEvent(new Event('afterprint')));
  expect(document.querySelector('.print-sheet')).toBeNull();
});

test('after a sign-up, the app opens when the server knows that the codes are stored, or anyway', async () => {
  const server = serve();
  const done = vi.fn<(isNoted: boolean) => void>();
  const codes = { recovery_codes: ['aaaa-bbbb'], set_id: 'first' };
  await render(<NewCodes user_id="ann" codes={codes} onDone={done} />, {});
  server.isAway = true;
  await press(t.account.recovery.go_on);
  await waitFor(() => expect(buttonOf(t.account.recovery.go_on_anyway)).toBeDefined());
  expect(done).not.toHaveBeenCalled();
  await press(t.account.recovery.go_on_anyway);
  expect(done).toHaveBeenLastCalledWith(false);
  server.isAway = false;
  await press(t.account.recovery.go_on);
  await waitFor(() => expect(done).toHaveBeenLastCalledWith(true));
  expect(server.said).toEqual([{ set_id: 'first' }]);
});

test.each(['', 'ben'])(
  'the codes of a new user are not shown after another tab has signed out, or in as “%s”',
  async (next) => {
    serve();
    const codes = { recovery_codes: ['aaaa-bbbb'], set_id: 'first' };
    await render(<NewCodes user_id="ann" codes={codes} onDone={() => undefined} />, {});
    const assign = vi.fn<(url: string) => void>();
    vi.stubGlobal('location', { assign });
    const signIn = (user: string) => {
      localStorage.setItem('session_user', user);
      dispatchEvent(new StorageEvent('storage', { key: 'session_user' }));
    };
    signIn('ann');
    expect(assign).not.toHaveBeenCalled();
    signIn(next);
    expect(assign).toHaveBeenCalledExactlyOnceWith('/sign-in');
    localStorage.removeItem('session_user');
  },
);
