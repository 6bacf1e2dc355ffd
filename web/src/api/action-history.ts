/** The ended actions of the user. The server keeps them for 30 days. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ActionHistory, ActionOf, ActionResults } from '@swarmdeck/bff/contract';
import { send } from './client.ts';
import { queryKeys } from './query-keys.ts';

async function readHistory(cursor: string | null, signal: AbortSignal): Promise<ActionHistory> {
  const search = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  return (await send<ActionHistory>({ path: `/api/actions/history${search}`, signal })).data;
}

/** Newest first. */
export const actionHistoryQuery = infiniteQueryOptions({
  queryKey: queryKeys.actions.historyPages,
  queryFn: ({ pageParam, signal }) => readHistory(pageParam, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next,
});

/** The newest import of a file that was not undone; null if there is none. Importing it again creates duplicates. */
export const pastImportQuery = (hash: string) =>
  queryOptions({
    queryKey: queryKeys.actions.importOf(hash),
    async queryFn({ signal }) {
      let cursor: string | null = null;
      do {
        const { actions, next }: ActionHistory = await readHistory(cursor, signal);
        const found = actions.find(
          (action): action is ActionOf<'import'> =>
            action.kind === 'import' && action.about.hash === hash && action.undone_by === null,
        );
        if (found) return found;
        cursor = next;
      } while (cursor !== null);
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
