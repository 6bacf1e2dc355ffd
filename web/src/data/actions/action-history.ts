/** The ended actions of the user. The server keeps them for 30 days. */
import { queryOptions } from '@tanstack/react-query';
import type { ActionHistory, ActionOf, ActionResults } from '@swarmdeck/bff/contract';
import { readPages } from '../read-pages.ts';
import { send } from '../client.ts';
import { queryString } from '../filter-params.ts';
import { pagedQuery } from '../cache/paged-query.ts';
import { queryKeys } from '../cache/query-keys.ts';

const pathOf = (cursor: string) => `/api/actions/history${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
const ofDevice = (id: string) => (cursor: string) =>
  `/api/actions/history?${queryString({ resource_id: id, cursor: cursor || undefined })}`;

/** Newest first. */
export const actionHistoryQuery = pagedQuery<ActionHistory>({ key: queryKeys.actions.historyPages, path: pathOf });

/** The history of this device alone. */
export const deviceHistoryQuery = (id: string) =>
  pagedQuery<ActionHistory>({ key: queryKeys.actions.historyOf(id), path: ofDevice(id) });

/** The newest import of a file that was not undone; null if there is none. Importing it again creates duplicates. */
export const pastImportQuery = (hash: string) =>
  queryOptions({
    queryKey: queryKeys.actions.importOf(hash),
    async queryFn({ signal }) {
      for await (const { actions } of readPages<ActionHistory>({ pathOf, signal })) {
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
    queryFn: async ({ signal }) =>
      (await send<ActionResults>({ path: `/api/actions/${id}/results`, signal })).data.results,
    staleTime: Infinity,
  });
