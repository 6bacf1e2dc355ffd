import { queryOptions, useMutation } from '@tanstack/react-query';
import type { Account, NewRecoveryCodes, SignInOptions } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { ProblemError } from '../../data/problem.ts';
import { unstoredCodes } from '../../shared/account/unstored-codes.tsx';

export interface Credentials {
  mode: 'sign-in' | 'sign-up';
  username: string;
  password: string;
}

interface EnterOptions extends Credentials {
  /** An earlier sign-up with this name had no answer: the account may exist. */
  mayExist?: boolean;
}

/** A user who has signed in or up. */
export interface Entered {
  account: Account;
  codes: readonly string[];
}

export const signInOptionsQuery = queryOptions({
  queryKey: queryKeys.signInOptions,
  queryFn: async ({ signal }) => (await send<SignInOptions>({ path: '/auth/options', signal })).data,
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
export async function enter({ mode, username, password, mayExist = false }: EnterOptions): Promise<Entered> {
  const credentials = { username, password };
  const codes = mode === 'sign-up' ? await signUp({ ...credentials, mayExist }) : [];
  if (mode === 'sign-in') await signIn(credentials);
  return { account: (await send<Account>({ path: '/api/account' })).data, codes };
}

const signIn = (credentials: Omit<Credentials, 'mode'>) => post('/auth/sign-in/username', credentials);

/** If the name is taken by an account with this password, that is the user's own, of the sign-up that had no answer. */
async function signUp({ username, password, mayExist }: Omit<EnterOptions, 'mode'>): Promise<string[]> {
  try {
    const body = { username, password, name: username };
    return (await send<NewRecoveryCodes>({ method: 'POST', path: '/auth/sign-up', body })).data.recovery_codes;
  } catch (error) {
    if (!mayExist || !(error instanceof ProblemError && error.code === 'sign_up.name_taken')) throw error;
    await signIn({ username, password }).catch(() => Promise.reject(error));
    unstoredCodes.set(username);
    return [];
  }
}
