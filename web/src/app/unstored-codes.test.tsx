import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RecoveryBox } from '../features/sign-in/recovery/recovery-box.tsx';
import { recoveryCodesQuery } from '../features/sign-in/recovery/recovery.api.ts';
import { signInOptionsQuery } from '../features/sign-in/sign-in.api.ts';
import { Component as SignIn } from '../routes/sign-in.tsx';
import { loadTexts, t } from '../text/text.ts';
import { KeysProvider } from '../ui/keys-provider.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { accountQuery } from '../shared/account/account.api.ts';
import { remembered } from '../shared/account/session-tabs.ts';
import { UnstoredCodes, unstoredCodes } from '../shared/account/unstored-codes.tsx';

beforeAll(() => loadTexts('en'));
let root: Root;
let client: QueryClient;
let container: HTMLElement;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  // jsdom has no modal dialogs
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  container = document.body.appendChild(document.createElement('div'));
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  client.clear();
  unstoredCodes.set(null);
  remembered.set('unknown');
});

async function render(page: ReactNode, { user_id, url = '/' }: { user_id: string; url?: string }) {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(accountQuery.queryKey, { user_id } as Account);
  client.setQueryData(recoveryCodesQuery.queryKey, { left: 3 });
  client.setQueryData(signInOptionsQuery.queryKey, { sign_up: 'open' } as never);
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

test('the user is reminded, but not another one who signs in to this browser', async () => {
  unstoredCodes.set('ann');
  await render(<UnstoredCodes />, { user_id: 'bob' });
  expect(container.textContent).toBe('');
  await act(async () => client.setQueryData(accountQuery.queryKey, { user_id: 'ann' } as Account));
  await act(() => vi.waitFor(() => expect(container.textContent).toContain(t.account.recovery.unstored)));
});

function Place() {
  const { pathname, hash } = useLocation();
  return pathname === '/sign-in' ? <SignIn /> : <output>{pathname + hash}</output>;
}

test.each([
  { user_id: 'ann', url: '/sign-in', to: '/account#recovery' },
  { user_id: 'bob', url: '/sign-in', to: '/' },
  { user_id: 'ann', url: '/sign-in?next=%2Fjoin%2Fx', to: '/join/x' },
])('$user_id goes from $url to $to if the codes of ann are not stored', async ({ to, ...user }) => {
  vi.stubGlobal('fetch', async () => Response.json({ user_id: user.user_id }));
  remembered.set('yes');
  unstoredCodes.set('ann');
  await render(<Place />, user);
  expect(container.querySelector('output')?.textContent).toBe(to);
});

test('new codes count as not stored until the checkbox says that they are', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    Response.json(method === 'POST' ? { recovery_codes: ['aaaa-bbbb'] } : { left: 10 }),
  );
  await render(<RecoveryBox id="recovery" />, { user_id: 'ann' });
  await act(async () => container.querySelector('button')!.click());
  const makeCodes = [...container.querySelectorAll<HTMLElement>('dialog button')].find(
    ({ textContent }) => textContent === t.account.recovery.make_submit,
  );
  await act(async () => makeCodes!.click());
  const checkbox = () => container.querySelector<HTMLInputElement>('input[type=checkbox]');
  await act(() => vi.waitFor(() => expect(checkbox()).not.toBeNull()));
  expect(unstoredCodes.get()).toBe('ann');
  await act(async () => checkbox()!.click());
  expect(unstoredCodes.get()).toBeNull();
  await act(async () => checkbox()!.click());
  expect(unstoredCodes.get()).toBe('ann');
});
