import { queryOptions } from '@tanstack/react-query';
import type { NewRecoveryCodes, NewTotp, Totp } from '@swarmdeck/bff/contract';
import { send } from '../../../data/client.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';
import { useChange } from '../../../data/use-change.ts';

const path = '/api/account/totp';
const changed = { type: 'totp.changed', data: {} } as const;

export const totpQuery = queryOptions({
  queryKey: accountKeys.totp,
  queryFn: async ({ signal }) => (await send<Totp>({ path, signal })).data,
});

/** A secret for the app. It is not kept after its dialog. */
export const useNewTotp = () =>
  useChange(async () => (await send<NewTotp>({ method: 'POST', path, body: {} })).data, changed, { isShownOnce: true });

/** Returns new recovery codes if the user had none left. */
export const useConfirmTotp = () =>
  useChange(
    async (code: string) =>
      (await send<NewRecoveryCodes>({ method: 'POST', path: `${path}/confirm`, body: { code } })).data,
    changed,
    { isShownOnce: true },
  );

export const useRemoveTotp = () => useChange(() => send({ method: 'DELETE', path }), changed);
