import { queryOptions, useMutation } from '@tanstack/react-query';
import type { Account, NewRecoveryCodes, SecondFactorNeeded } from '@swarmdeck/bff/contract';
import { read, send } from '../../data/client.ts';
import { accountKeys } from '../../data/cache/account-keys.ts';

export interface Credentials {
  mode: 'sign-in' | 'sign-up';
  username: string;
  password: string;
}

interface EnterOptions extends Credentials {
  /** Of a sign-up: the server answers another try as the one whose answer was lost. */
  attempt?: string | undefined;
}

/** A user who has signed in or up. */
export interface Entered {
  account: Account;
  codes: NewRecoveryCodes;
}

export const signInOptionsQuery = queryOptions({
  queryKey: accountKeys.signInOptions,
  queryFn: ({ signal }) => read('/auth/options', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user of an operator's link. */
export const openPasswordLinkQuery = (code: string) =>
  queryOptions({
    queryKey: accountKeys.passwordLink(code),
    queryFn: async () =>
      (
        await send<{ user_id: string }>({
          method: 'POST',
          path: '/auth/password-link',
          body: { code },
          changesNothing: true,
        })
      ).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export function usePasswordLink() {
  return useMutation({
    /** On a server without passwords, the answer may ask for a second factor. */
    mutationFn: async (body: { code: string; newPassword?: string }) =>
      (await send<SecondFactorNeeded | undefined>({ method: 'POST', path: '/auth/password-link/use', body })).data,
  });
}

/** Uses the link of an email that confirms an address. Returns the name of its user. */
export const useConfirmAddress = () =>
  useMutation({
    mutationFn: async (code: string) =>
      (await send<{ user_id: string }>({ method: 'POST', path: '/auth/address', body: { code } })).data.user_id,
  });

/**
 * Signs in or up, unless a code is asked for, then fetches the account: a response without a session means that the browser
 * did not store the cookie. `codes`: the recovery codes of a new account.
 */
export async function enter({
  mode,
  username,
  password,
  attempt,
}: EnterOptions): Promise<Entered | SecondFactorNeeded> {
  const credentials = { username, password };
  if (mode === 'sign-up') return entered(await signUp({ ...credentials, attempt }));
  const answer = await signIn(credentials);
  return 'second_factor' in answer ? answer : entered();
}

/** The second step of a sign-in. */
export async function enterWithCode(code: string): Promise<Entered> {
  await send({ method: 'POST', path: '/auth/second-factor', body: { code }, changesNothing: true });
  return entered();
}

const noCodes: NewRecoveryCodes = { recovery_codes: [] };

const entered = async (codes = noCodes): Promise<Entered> => ({
  account: await read('/api/account', {}),
  codes,
});

async function signIn(body: Omit<Credentials, 'mode'>): Promise<{ user_id: string } | SecondFactorNeeded> {
  const request = { method: 'POST', path: '/auth/sign-in/username', body, changesNothing: true } as const;
  return (await send<{ user_id: string } | SecondFactorNeeded>(request)).data;
}

async function signUp({ username, password, attempt }: Omit<EnterOptions, 'mode'>): Promise<NewRecoveryCodes> {
  const body = { username, password, name: username, attempt };
  return (await send<NewRecoveryCodes>({ method: 'POST', path: '/auth/sign-up', body })).data;
}

/** For all tries of a form. Without a secure context, browsers have no such ids, and the server refuses the sign-up. */
export const newAttempt = (): string | undefined => ('randomUUID' in crypto ? crypto.randomUUID() : undefined);
