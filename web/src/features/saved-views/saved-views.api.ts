import { queryOptions } from '@tanstack/react-query';
import type { SavedView } from '@swarmdeck/bff/contract';
import { read } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { sendOnce, useChange } from '../../data/use-change.ts';

/**
 * Another tab or browser may have changed the views: the box fetches them when it opens, and shows the cached ones
 * meanwhile.
 */
export const savedViewsQuery = queryOptions({
  queryKey: queryKeys.savedViews,
  queryFn: ({ signal }) => read('/api/saved-views', {}, { signal }),
  staleTime: 0,
});

/** Saves the current view under a new name, or updates the view with this id. */
export const useSaveView = () =>
  useChange(
    ({ id, ...body }: { id?: string; name?: string; url?: string }) =>
      sendOnce<SavedView>(
        id === undefined
          ? { method: 'POST', path: '/api/saved-views', body }
          : { method: 'PUT', path: pathTo('/api/saved-views/:id', { id }), body },
      ),
    { type: 'saved_views.changed', data: {} },
  );
