/** All users of the server, for users with the role of an operator. */
import { queryOptions } from '@tanstack/react-query';
import type { PasswordLink } from '@swarmdeck/bff/contract';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { useChange } from '../../data/use-change.ts';

export interface UserFilter {
  q: string;
  state: 'disabled' | '';
}

/** In ms. */
const streamsInterval = 2000;

const pathOf = (name: string) => pathTo('/api/operator/users/:name', { name });

export const usersQuery = ({ q, state }: UserFilter) =>
  pagedQuery({
    key: accountKeys.operator('users', q, state),
    path: (after) => pathTo('/api/operator/users', {}, new URLSearchParams({ q: q.trim(), state, after })),
  });

export const userQuery = (name: string) =>
  queryOptions({
    queryKey: accountKeys.operator('user', name),
    queryFn: async ({ signal }) => (await send({ path: pathOf(name), signal })).data,
    // They open and end without an event: those of a disabled user within a second.
    refetchInterval: ({ state: { data } }) => data !== undefined && data.quotas.streams.used > 0 && streamsInterval,
  });

export const serverStatsQuery = queryOptions({
  queryKey: accountKeys.operator('stats'),
  queryFn: ({ signal }) => read('/api/operator/stats', {}, { signal }),
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
