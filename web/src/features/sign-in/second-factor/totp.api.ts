import { queryOptions } from '@tanstack/react-query';
import type { NewRecoveryCodes, NewTotp } from '@swarmdeck/bff/contract';
import { read, send } from '../../../data/client.ts';
import { isGone } from '../../../data/problem.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';
import { useChange } from '../../../data/use-change.ts';

const path = '/api/account/totp';
const changed = { type: 'totp.changed', data: {} } as const;

export const totpQuery = queryOptions({
  queryKey: accountKeys.totp,
  queryFn: ({ signal }) => read(path, {}, { signal }),
});

/** A secret for the app, which counts once it is confirmed. It is not kept after its dialog. */
export const useNewTotp = () =>
  useChange(async () => (await send<NewTotp>({ method: 'POST', path, body: {}, changesNothing: true })).data, changed, {
    isShownOnce: true,
  });

/**
 * Returns new recovery codes if the user had none left. After a lost answer, another try is answered like the first, with recovery codes
 * that replace those of the lost answer.
 */
export const useConfirmTotp = () =>
  useChange(
    async (code: string) =>
      (await send<NewRecoveryCodes>({ method: 'POST', path: `${path}/confirm`, body: { code } })).data,
    changed,
    { isShownOnce: true },
  );

export const useRemoveTotp = () => useChange(remove, changed);

async function remove(): Promise<void> {
  try {
    await send({ method: 'DELETE', path });
  } catch (error) {
    // It was removed already: the answer of an earlier try may be lost.
    if (!isGone(error)) throw error;
  }
}
