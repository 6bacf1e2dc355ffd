import { queryOptions, useMutation } from '@tanstack/react-query';
import { read, send } from '../../../data/client.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';

/** By what the user can confirm that it is them. */
export const confirmingWaysQuery = queryOptions({
  queryKey: accountKeys.confirmingWays,
  queryFn: async ({ signal }) => (await read('/auth/confirm', {}, { signal })).ways,
  // A recovery code may be the last one.
  gcTime: 0,
});

export const useConfirm = () =>
  useMutation({
    mutationFn: async ({ way, value }: { way: string; value: unknown }) =>
      send({ method: 'POST', path: '/auth/confirm', body: { [way]: await value }, changesNothing: true }),
  });
