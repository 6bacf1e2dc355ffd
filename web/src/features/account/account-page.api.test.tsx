import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { Account } from '@swarmdeck/bff/contract';
import { accountQuery } from '../../shared/account/account.api.ts';
import { useSignOut } from '../../shared/account/sign-out.ts';
import { announceSignIn } from '../../shared/account/session-tabs.ts';
import { useDeleteAccount } from './account-page.api.ts';
import { waitFor } from '../../ui/wait-for.fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  document.documentElement.hidden = false;
});

test.each([
  {
    what: 'sign-out from the palette',
    useEnd() {
      const { mutateAsync } = useSignOut();
      return () => mutateAsync();
    },
    next: '/sign-in',
  },
  {
    what: 'the deletion of the account',
    useEnd() {
      const { mutateAsync } = useDeleteAccount();
      return () => mutateAsync({ user_id: 'ann' });
    },
    next: '/sign-in?deleted=1',
  },
])('$what closes the page, although its dialog has closed before the response', async ({ useEnd, next }) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  let end = async (): Promise<unknown> => undefined;
  function Dialog() {
    end = useEnd();
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <Dialog />
      </QueryClientProvider>,
    ),
  );
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  const ended = end();
  await act(async () => root.unmount());
  response.resolve(new Response('{}'));
  await ended;
  await waitFor(() => expect(assign).toHaveBeenCalledWith(next));
});

test('a sign-out without a network closes the page, and ends the session before the account is read again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const requests: unknown[] = [];
  let isAway = true;
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    if (isAway) throw new TypeError('no network');
    requests.push(typeof body === 'string' ? [path, JSON.parse(body)] : path);
    return Response.json({ user_id: 'ann' });
  });
  const client = new QueryClient();
  client.setQueryData(accountQuery.queryKey, { user_id: 'ann', session_id: 's-1' } as Account);
  let signOut = async (): Promise<unknown> => undefined;
  function Page() {
    const { mutateAsync } = useSignOut();
    signOut = () => mutateAsync();
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  await act(signOut);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in'));
  await expect(client.fetchQuery({ ...accountQuery, staleTime: 0 })).rejects.toThrow('no network');
  // Another user signs in before the server can be reached: only the session that was ended is named.
  announceSignIn('ben');
  isAway = false;
  await client.fetchQuery({ ...accountQuery, staleTime: 0 });
  await client.fetchQuery({ ...accountQuery, staleTime: 0 });
  expect(requests).toEqual([['/auth/sign-out', { session_id: 's-1' }], '/api/account', '/api/account']);
  await act(async () => root.unmount());
});
