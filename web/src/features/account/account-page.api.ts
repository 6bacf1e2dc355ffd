import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey, Session } from '@swarmdeck/bff/contract';
import { refetchOwnChanges } from '../../api/changes.ts';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

export const keysQuery = queryOptions({
  queryKey: queryKeys.apiKeys,
  queryFn: async ({ signal }) => (await send<{ items: ApiKey[] }>({ path: '/api/account/keys', signal })).data.items,
  // the use of a key has no event
  refetchInterval: 10_000,
});

export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }) =>
    (await send<{ items: Session[] }>({ path: '/api/account/sessions', signal })).data.items,
});

const post = (path: string, body: unknown = {}) => send({ method: 'POST', path, body });

const endsSession = { ends_session: true };

export function useSignOut() {
  return useMutation({
    mutationFn: () => post('/auth/sign-out'),
    meta: endsSession,
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }) =>
      post('/auth/change-password', body),
    onSuccess: () => refetchOwnChanges(client, { type: 'password.changed', data: {} }),
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
    onSuccess: () => refetchOwnChanges(client, { type: 'api_keys.changed', data: {} }),
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send({ method: 'DELETE', path: `/api/account/keys/${id}` }),
    onSettled: () => refetchOwnChanges(client, { type: 'api_keys.changed', data: {} }),
  });
}

/** Ends one session by its id, or all other sessions with `others`. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      send({ method: 'DELETE', path: id === 'others' ? '/api/account/sessions' : `/api/account/sessions/${id}` }),
    onSettled: () => refetchOwnChanges(client, { type: 'sessions.changed', data: {} }),
  });
}
