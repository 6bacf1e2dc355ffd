import { queryOptions } from '@tanstack/react-query';
import type { Account, PasskeyCreation, PasskeyRequest } from '@swarmdeck/bff/contract';
import { read, send } from '../../../data/client.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';
import { errorSentence } from '../../../data/problem.ts';
import { useChange } from '../../../data/use-change.ts';
import { t } from '../../../text/text.ts';
import { answerOf, createdOf, PasskeyCancelled, PasskeyKnown } from './webauthn.ts';

const path = '/api/account/passkeys';
const changed = { type: 'passkeys.changed', data: {} } as const;

export const passkeysQuery = queryOptions({
  queryKey: accountKeys.passkeys,
  queryFn: async ({ signal }) => (await read(path, {}, { signal })).items,
});

/** Only a new passkey is a change. */
async function post<T>(to: string, body: object = {}): Promise<T> {
  return (await send<T>({ method: 'POST', path: to, body, changesNothing: to !== path })).data;
}

/** What the browser answers to a request of the server. @throws PasskeyCancelled */
export const askForPasskey = async (signal?: AbortSignal) =>
  answerOf(await post<PasskeyRequest>('/auth/sign-in/passkey/options'), signal);

/** Signs in, and fetches the account. `chosen`: what the browser has answered already. @throws PasskeyCancelled */
export async function enterWithPasskey(chosen?: object): Promise<Account> {
  await post('/auth/sign-in/passkey', { credential: chosen ?? (await askForPasskey()) });
  return await read('/api/account', {});
}

/** @throws PasskeyCancelled, PasskeyKnown */
export const useNewPasskey = () =>
  useChange(async (name: string) => {
    const credential = await createdOf(await post<PasskeyCreation>(`${path}/options`));
    await post(path, { name, credential });
  }, changed);

export const useRenamePasskey = () =>
  useChange(
    ({ id, name }: { id: string; name: string }) => send({ method: 'PUT', path: `${path}/${id}`, body: { name } }),
    changed,
  );

export const useRemovePasskey = () =>
  useChange((id: string) => send({ method: 'DELETE', path: `${path}/${id}` }), changed);

/** Says why a passkey was not used. */
export const passkeySentence = (error: unknown): string =>
  error instanceof PasskeyCancelled ? t.account.passkeys.cancelled : errorSentence(error);

/** Says why a passkey was not added. */
export function newPasskeySentence(error: unknown): string {
  if (error instanceof PasskeyCancelled) return t.account.passkeys.not_added;
  return error instanceof PasskeyKnown ? t.account.passkeys.known : errorSentence(error);
}
