import { QueryClient } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { forgetPage } from '../data/new-page.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { remembered } from '../shared/account/session-tabs.ts';
import { signInOptionsQuery } from '../features/sign-in/sign-in.api.ts';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { followInput } from '../ui/fields/unsaved-input.ts';
import { waitFor } from '../ui/wait-for.fixture.ts';
import { Component as SignIn } from './sign-in.tsx';

beforeAll(async () => {
  await loadTexts('en');
  followInput(document);
});
beforeEach(forgetPage);
afterEach(() => {
  forgetPage();
  remembered.set('unknown');
  history.replaceState(null, '', '/');
});

const Place = () => <output>{useLocation().pathname}</output>;

/** Opens the page without a session. */
async function open(search = '') {
  remembered.set('no');
  history.replaceState(null, '', `/sign-in${search}`);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(signInOptionsQuery.queryKey, { sign_up: 'open', passkeys: false, providers: [] } as never);
  const page = await mountPart(
    <Routes>
      <Route path="/sign-in" element={<SignIn />} />
      <Route path="*" element={<Place />} />
    </Routes>,
    client,
  );
  const field = (name: string) => page.container.querySelector<HTMLInputElement>(`input[name=${name}]`);
  return {
    ...page,
    field,
    type: (name: string, text: string) =>
      act(async () => {
        field(name)!.setRangeText(text);
        field(name)!.dispatchEvent(new Event('input', { bubbles: true }));
      }),
  };
}

/** Another tab signs in. */
async function signInElsewhere(account: Partial<Account>) {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path === '/api/account' ? account : { recovery_codes: [] }, { headers: { 'x-swarmdeck': '1' } }),
  );
  await act(async () => remembered.set('yes'));
}

test.each(['', '?new=1'])('what is typed at “%s” stays when another user signs in in another tab', async (search) => {
  const { container, field, type, submit, unmount } = await open(search);
  await type('username', 'anna');
  await type('password', 'harbour light 7');
  await signInElsewhere({ user_id: 'chris' });
  const note = () => container.querySelector<HTMLAnchorElement>('.sign-in-main a[href="/"]');
  await waitFor(() => expect(note()?.textContent).toBe(t.account.sign_in.go_on_as.replace('{user}', 'chris')));
  expect([field('username')!.value, field('password')!.value]).toEqual(['anna', 'harbour light 7']);
  // The user goes on with what was typed.
  await signInElsewhere({ user_id: 'anna' });
  await submit();
  await waitFor(() => expect(container.querySelector('output')?.textContent).toBe('/'));
  await unmount();
});

test('without input, the page goes to the app when another tab signs in', async () => {
  const { container, unmount } = await open('?new=1');
  await signInElsewhere({ user_id: 'chris' });
  await waitFor(() => expect(container.querySelector('output')?.textContent).toBe('/'));
  await unmount();
});

test('while another tab shows the recovery codes, this one does not send the user to create others', async () => {
  const held = [{ name: 'recovery_codes_shown' }];
  vi.stubGlobal('navigator', { onLine: true, locks: { query: async () => ({ held }) } });
  const { container, unmount } = await open();
  await signInElsewhere({ user_id: 'dora', unstored_codes: true });
  await waitFor(() => expect(container.querySelector('output')?.textContent).toBe('/'));
  await unmount();
  vi.unstubAllGlobals();
});

test('the account that the server sends first is that of who signs in here', async () => {
  const { client, container, submit, type, unmount } = await open();
  await type('username', 'anna');
  await type('password', 'harbour light 7');
  vi.stubGlobal('fetch', async () => Response.json({ user_id: 'anna' }, { headers: { 'x-swarmdeck': '1' } }));
  await submit();
  await waitFor(() => expect(container.querySelector('output')?.textContent).toBe('/'));
  expect(client.getQueryData(accountQuery.queryKey)?.user_id).toBe('anna');
  await unmount();
});
