import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Demo } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';

/** Whether there is one, and what of it is the user's own. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: async ({ signal }) => (await send<Demo>({ path: '/api/demo', signal })).data,
  staleTime: 5 * 60_000,
});

/** It concerns everything: devices, swarms, invitations, counts. */
const everythingChanged = (client: QueryClient) => client.invalidateQueries();

export function useFillDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<Demo>({ method: 'POST', path: '/api/demo' }),
    onSuccess: () => everythingChanged(client),
  });
}

export function useRemoveDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send({ method: 'DELETE', path: '/api/demo' }),
    onSuccess: () => everythingChanged(client),
  });
}
