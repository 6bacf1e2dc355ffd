import { queryOptions, useMutation } from '@tanstack/react-query';
import type { NewRecoveryCodes } from '@swarmdeck/bff/contract';
import { read, send } from '../../../data/client.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { language } from '../../../text/language.ts';

export const recoveryCodesQuery = queryOptions({
  queryKey: accountKeys.recoveryCodes,
  queryFn: ({ signal }) => read('/api/account/recovery-codes', {}, { signal }),
});

const changed = { type: 'recovery_codes.changed', data: {} } as const;

export const useNewRecoveryCodes = () =>
  useChange(
    async () => (await send<NewRecoveryCodes>({ method: 'POST', path: '/api/account/recovery-codes', body: {} })).data,
    changed,
    { isShownOnce: true },
  );

/** Says that the user has stored the codes. */
export const useStoredCodes = ({ set_id = '' }: NewRecoveryCodes) =>
  useChange(() => send({ method: 'PUT', path: '/api/account/recovery-codes/stored', body: { set_id } }), changed);

export const useSentLink = () =>
  useMutation({
    /** `username`: or the email address. */
    mutationFn: (username: string) => send({ method: 'POST', path: '/auth/mail-link', body: { username, language } }),
  });

/** Sets a new password by a recovery code. */
export function useRecovery() {
  return useMutation({
    mutationFn: (body: { username: string; code: string; newPassword: string }) =>
      send({ method: 'POST', path: '/auth/recover', body }),
  });
}
