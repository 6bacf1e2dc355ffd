import { queryOptions, useMutation } from '@tanstack/react-query';
import type { Account, NewRecoveryCodes } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';

export interface Credentials {
  mode: 'sign-in' | 'sign-up';
  username: string;
  password: string;
}

/** A user who has signed in or up. */
export interface Entered {
  account: Account;
  codes: readonly string[];
}

export const signInOptionsQuery = queryOptions({
  queryKey: queryKeys.signInOptions,
  queryFn: async ({ signal }) => (await send<{ sign_up: 'open' | 'closed' }>({ path: '/auth/options', signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

const post = (path: string, body: unknown = {}) => send({ method: 'POST', path, body });

/** The user of an operator's link. */
export const openPasswordLinkQuery = (code: string) =>
  queryOptions({
    queryKey: queryKeys.passwordLink(code),
    queryFn: async () =>
      (await send<{ user_id: string }>({ method: 'POST', path: '/auth/password-link', body: { code } })).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export function usePasswordLink() {
  return useMutation({
    mutationFn: (body: { code: string; newPassword: string }) => post('/auth/password-link/use', body),
  });
}

/**
 * Signs in or up, then fetches the account: a response without a session means that the browser did not store the
 * cookie. `codes`: the recovery codes of a new account.
 */
export async function enter({ mode, username, password }: Credentials): Promise<Entered> {
  const codes = mode === 'sign-up' ? await signUp({ username, password }) : [];
  if (mode === 'sign-in') await post('/auth/sign-in/username', { username, password });
  return { account: (await send<Account>({ path: '/api/account' })).data, codes };
}

async function signUp({ username, password }: Omit<Credentials, 'mode'>): Promise<string[]> {
  const body = { username, password, name: username };
  return (await send<NewRecoveryCodes>({ method: 'POST', path: '/auth/sign-up', body })).data.recovery_codes;
}
