import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Demo } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** Whether there is one, and what of it is the user's own. */
export const demoQuery = queryOptions({
  queryKey: queryKeys.demo,
  queryFn: async ({ signal }) => (await send<Demo>({ path: '/api/demo', signal })).data,
  staleTime: 5 * 60_000,
});

/** The demo contains devices, swarms and invitations: all data is outdated. */
const everythingChanged = (client: QueryClient) => client.invalidateQueries();

/** What asked for it is gone when it is there, and the other way round: hence what it does then is told here. */
interface Done {
  onDone(): void;
}

export function useFillDemo({ onDone }: Done) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<Demo>({ method: 'POST', path: '/api/demo' }),
    onSuccess: async () => {
      onDone();
      await everythingChanged(client);
    },
  });
}

export function useRemoveDemo({ onDone }: Done) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send({ method: 'DELETE', path: '/api/demo' }),
    onSuccess: async () => {
      onDone();
      await everythingChanged(client);
    },
  });
}
