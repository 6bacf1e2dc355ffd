import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { DirectoryPage, DirectorySort } from '@swarmdeck/bff/contract';
import { send } from '../../../api/client.ts';
import { pollIntervalAlways } from '../../../api/connection-status.ts';
import { queryKeys } from '../../../api/query-keys.ts';

export interface DirectoryFilter {
  q: string;
  sort: DirectorySort;
}

/** The public swarms of all users that their owners list. The stream has no events of them. */
export const directoryQuery = (filter: DirectoryFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.swarms.directory(filter),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = new URLSearchParams({ ...filter, ...(cursor && { cursor }) });
      return (await send<DirectoryPage>({ path: `/api/directory?${params}`, signal })).data;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: pollIntervalAlways(60_000),
  });
