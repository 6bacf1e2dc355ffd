import { queryOptions, useMutation } from '@tanstack/react-query';
import type { NewRecoveryCodes, RecoveryCodes } from '@swarmdeck/bff/contract';
import { send } from '../../../data/client.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';

export const recoveryCodesQuery = queryOptions({
  queryKey: queryKeys.recoveryCodes,
  queryFn: async ({ signal }) => (await send<RecoveryCodes>({ path: '/api/account/recovery-codes', signal })).data,
});

export const useNewRecoveryCodes = () =>
  useChange(
    async () =>
      (await send<NewRecoveryCodes>({ method: 'POST', path: '/api/account/recovery-codes', body: {} })).data
        .recovery_codes,
    { type: 'recovery_codes.changed', data: {} },
    // The codes are not kept after their dialog.
    { gcTime: 0 },
  );

export const useSentLink = () =>
  useMutation({
    mutationFn: (username: string) => send({ method: 'POST', path: '/auth/mail-link', body: { username } }),
  });

/** Sets a new password by a recovery code. */
export function useRecovery() {
  return useMutation({
    mutationFn: (body: { username: string; code: string; newPassword: string }) =>
      send({ method: 'POST', path: '/auth/recover', body }),
  });
}
