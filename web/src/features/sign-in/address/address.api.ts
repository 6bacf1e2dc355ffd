import { queryOptions } from '@tanstack/react-query';
import { read, send } from '../../../data/client.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { language } from '../../../text/language.ts';

const path = '/api/account/address';
const changed = { type: 'address.changed', data: {} } as const;

export const addressQuery = queryOptions({
  queryKey: accountKeys.address,
  queryFn: ({ signal }) => read(path, {}, { signal }),
  // The link of the email may have been opened elsewhere.
  refetchOnWindowFocus: 'always',
});

/** An email with a link that confirms the address is sent to it. */
export const useNewAddress = () =>
  useChange((address: string) => send({ method: 'PUT', path, body: { address, language } }), changed);

export const useRemoveAddress = () => useChange(() => send({ method: 'DELETE', path }), changed);
