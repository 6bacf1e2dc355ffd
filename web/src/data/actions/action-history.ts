/** The ended actions of the user. The server keeps them for 30 days. */
import { queryOptions } from '@tanstack/react-query';
import type { ActionOf } from '@swarmdeck/bff/contract';
import { readPages } from '../read-pages.ts';
import { read } from '../client.ts';
import { pathTo } from '../path-to.ts';
import { queryString } from '../filter-params.ts';
import { pagedQuery } from '../cache/paged-query.ts';
import { queryKeys } from '../cache/query-keys.ts';

const pathOf = (cursor: string) => pathTo('/api/actions/history', {}, queryString({ cursor: cursor || undefined }));
const ofDevice = (id: string) => (cursor: string) =>
  pathTo('/api/actions/history', {}, queryString({ resource_id: id, cursor: cursor || undefined }));

/** Newest first. */
export const actionHistoryQuery = pagedQuery({ key: queryKeys.actions.historyPages, path: pathOf });

/** The history of this device alone. */
export const deviceHistoryQuery = (id: string) =>
  pagedQuery({ key: queryKeys.actions.historyOf(id), path: ofDevice(id) });

/** The newest import of a file that was not undone; null if there is none. Importing it again creates duplicates. */
export const pastImportQuery = (hash: string) =>
  queryOptions({
    queryKey: queryKeys.actions.importOf(hash),
    async queryFn({ signal }) {
      for await (const { actions } of readPages({ pathOf, signal })) {
        const found = actions.find(
          (action): action is ActionOf<'import'> =>
            action.kind === 'import' && action.about.hash === hash && action.undone_by === null,
        );
        if (found) return found;
      }
      return null;
    },
  });

/** The items of an action with their results. */
export const actionResultsQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.actions.results(id),
    queryFn: async ({ signal }) => (await read('/api/actions/:id/results', { id }, { signal })).results,
    staleTime: Infinity,
  });
