import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Demo } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** Whether there is a demo, and what the user has added to it. */
export const demoQuery = queryOptions({
  queryKey: queryKeys.demo,
  queryFn: async ({ signal }) => (await send<Demo>({ path: '/api/demo', signal })).data,
  staleTime: 5 * 60_000,
});

/** The demo contains devices, swarms and invitations: all data is outdated. */
const everythingChanged = (client: QueryClient) => client.invalidateQueries();

/** The component that adds or removes the demo is unmounted by it, so the mutation gets the callback. */
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
