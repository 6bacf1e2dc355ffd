import type { DirectoryPage, DirectorySort } from '@swarmdeck/bff/contract';
import { pollRarelyWhileLive } from '../../../data/stream/poll-intervals.ts';
import { pagedQuery } from '../../../data/cache/paged-query.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';

export interface DirectoryFilter {
  q: string;
  sort: DirectorySort;
}

/** The public swarms of all users that their owners list. The stream has no events of them. */
export const directoryQuery = (filter: DirectoryFilter) => ({
  ...pagedQuery<DirectoryPage>({
    key: queryKeys.swarms.directory(filter),
    path: (cursor) => `/api/directory?${new URLSearchParams({ ...filter, ...(cursor && { cursor }) })}`,
    interval: pollRarelyWhileLive(20_000),
  }),
  refetchOnMount: 'always' as const,
});
