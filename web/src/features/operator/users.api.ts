/** All users of the server, for users with the role of an operator. */
import { queryOptions } from '@tanstack/react-query';
import type { PasswordLink, ServerStats, UserDetails, UserPage } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { useChange } from '../../data/use-change.ts';

export interface UserFilter {
  q: string;
  state: 'disabled' | '';
}

/** In ms. */
const streamsInterval = 2000;

const pathOf = (name: string) => `/api/operator/users/${encodeURIComponent(name)}`;

export const usersQuery = ({ q, state }: UserFilter) =>
  pagedQuery<UserPage>({
    key: accountKeys.operator('users', q, state),
    path: (after) => `/api/operator/users?${new URLSearchParams({ q: q.trim(), state, after })}`,
  });

export const userQuery = (name: string) =>
  queryOptions({
    queryKey: accountKeys.operator('user', name),
    queryFn: async ({ signal }) => (await send<UserDetails>({ path: pathOf(name), signal })).data,
    // They open and end without an event: those of a disabled user within a second.
    refetchInterval: ({ state: { data } }) => data !== undefined && data.quotas.streams.used > 0 && streamsInterval,
  });

export const serverStatsQuery = queryOptions({
  queryKey: accountKeys.operator('stats'),
  queryFn: async ({ signal }) => (await send<ServerStats>({ path: '/api/operator/stats', signal })).data,
});

/** A link by which the user chooses a new password. */
export const useCreateLink = (name: string) =>
  useChange(
    async () => (await send<PasswordLink>({ method: 'POST', path: `${pathOf(name)}/link`, body: {} })).data,
    { type: 'users.changed', data: {} },
    // The link is not kept after its dialog.
    { isShownOnce: true },
  );

export type UserAction = 'disable' | 'enable' | 'sign-out';

export const useUserAction = (name: string) =>
  useChange((action: UserAction) => send({ method: 'POST', path: `${pathOf(name)}/${action}` }), {
    type: 'users.changed',
    data: {},
  });
