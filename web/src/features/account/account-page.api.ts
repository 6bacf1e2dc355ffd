import { queryOptions, useMutation } from '@tanstack/react-query';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { pollRarelyWhileLive } from '../../data/stream/poll-intervals.ts';
import { useChange } from '../../data/use-change.ts';
import { announceDeletion } from '../../shared/account/session-tabs.ts';

export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: async ({ signal }) => (await read('/api/account/sessions', {}, { signal })).items,
  refetchInterval: pollRarelyWhileLive(15_000),
  refetchOnWindowFocus: 'always',
});

const post = (path: string, body: unknown = {}) => send({ method: 'POST', path, body });

const endsSession = { ends_session: true };

export const useChangePassword = () =>
  useChange(
    (body: { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }) =>
      post('/auth/change-password', body),
    { type: 'password.changed', data: {} },
  );

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (body: { user_id: string }) => send({ method: 'DELETE', path: '/api/account', body }),
    meta: endsSession,
    onSuccess: () => announceDeletion(),
  });
}

/** Ends one session by its id, or all other sessions with `others`. */
export const useEndSession = () =>
  useChange(
    (id: string) =>
      send({
        method: 'DELETE',
        path: id === 'others' ? '/api/account/sessions' : pathTo('/api/account/sessions/:id', { id }),
      }),
    { type: 'sessions.changed', data: {} },
  );
