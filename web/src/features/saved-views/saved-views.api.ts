import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedView, SavedViews } from '@swarmdeck/bff/contract';
import { refetchOwnChanges } from '../../api/changes.ts';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

/**
 * Another tab or browser may have changed the views: the box fetches them when it opens, and shows the cached ones
 * meanwhile.
 */
export const savedViewsQuery = queryOptions({
  queryKey: queryKeys.savedViews,
  queryFn: async ({ signal }) => (await send<SavedViews>({ path: '/api/saved-views', signal })).data,
  staleTime: 0,
});

/** Saves the current view under a new name, or updates the view with this id. */
export function useSaveView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...body }: { id?: string; name?: string; url?: string }) =>
      id === undefined
        ? (await send<SavedView>({ method: 'POST', path: '/api/saved-views', body })).data
        : (await send<SavedView>({ method: 'PUT', path: `/api/saved-views/${id}`, body })).data,
    // Fetched again after an error too: the name may be taken, or the view deleted, by another tab.
    onSettled: () => refetchOwnChanges(client, { type: 'saved_views.changed', data: {} }),
  });
}
