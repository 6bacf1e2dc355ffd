import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Account, ApiKey, CreatedApiKey, Session } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { isSignedOut } from '../../api/problem.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** Who is signed in. Signed out it fails with `session.missing`; what the screen shows of it stays. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await send<Account>({ path: '/api/account', signal })).data,
  staleTime: 60_000,
  // soon where nothing can be shown before, or where somebody may be signing in beside us
  refetchInterval: ({ state }) => (state.error && (!state.data || isSignedOut(state.error)) ? 5_000 : 10 * 60_000),
});

export const keysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: async ({ signal }) => (await send<{ items: ApiKey[] }>({ path: '/api/account/keys', signal })).data.items,
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await send<{ items: Session[] }>({ path: '/api/account/sessions', signal })).data.items,
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in', 'options'],
  queryFn: async ({ signal }) => (await send<{ sign_up: 'open' | 'closed' }>({ path: '/auth/options', signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

const post = (path: string, body: unknown = {}) => send({ method: 'POST', path, body });

/** Signs in, or up and in, and then asks who that is: an answer without a session means that no cookie was kept. */
export async function enter({ mode, username, password }: Credentials & { mode: 'sign-in' | 'sign-up' }) {
  if (mode === 'sign-up') await post('/auth/sign-up/email', { username, password, name: username });
  else await post('/auth/sign-in/username', { username, password });
  return (await send<Account>({ path: '/api/account' })).data;
}

const endsSession = { ends_session: true };

export function useSignOut() {
  return useMutation({ mutationFn: () => post('/auth/sign-out'), meta: endsSession });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }) =>
      post('/auth/change-password', body),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (body: { user_id: string; password: string }) => send({ method: 'DELETE', path: '/api/account', body }),
    meta: endsSession,
  });
}

export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { name: string }) =>
      (await send<CreatedApiKey>({ method: 'POST', path: '/api/account/keys', body })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send({ method: 'DELETE', path: `/api/account/keys/${id}` }),
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}

/** One session by its id, or all of them but this one: `others`. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      send({ method: 'DELETE', path: id === 'others' ? '/api/account/sessions' : `/api/account/sessions/${id}` }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
