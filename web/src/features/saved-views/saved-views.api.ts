import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedView, SavedViews } from '@swarmdeck/bff/contract';
import { remove, send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** Another tab or browser may have changed them: what opens with them reads them again, and shows the last meanwhile. */
export const savedViewsQuery = queryOptions({
  queryKey: queryKeys.savedViews,
  queryFn: async ({ signal }) => (await send<SavedViews>({ path: '/api/saved-views', signal })).data,
  staleTime: 0,
});

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: savedViewsQuery.queryKey });

/** Saves what is shown under a new name, or changes the one with this id. */
export function useSaveView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...body }: { id?: string; name?: string; url?: string }) =>
      id === undefined
        ? (await send<SavedView>({ method: 'POST', path: '/api/saved-views', body })).data
        : (await send<SavedView>({ method: 'PUT', path: `/api/saved-views/${id}`, body })).data,
    // a refusal too may say that others have changed since: a name that is taken, a view that is gone
    onSettled: () => readAgain(client),
  });
}

/** One that is gone already is as good. */
export async function deleteView(options: { client: QueryClient; id: string; keepalive: boolean }): Promise<void> {
  const { client, id, keepalive } = options;
  await remove({ path: `/api/saved-views/${id}`, keepalive });
  client.setQueryData(
    savedViewsQuery.queryKey,
    (data) => data && { ...data, items: data.items.filter((view) => view.id !== id) },
  );
  void readAgain(client);
}
