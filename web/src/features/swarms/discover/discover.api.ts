import type { DirectoryPage, DirectorySort } from '@swarmdeck/bff/contract';
import { pagedQuery } from '../../../api/paged-query.ts';
import { queryKeys } from '../../../api/query-keys.ts';

export interface DirectoryFilter {
  q: string;
  sort: DirectorySort;
}

/** The public swarms of all users that their owners list. The stream has no events of them. */
export const directoryQuery = (filter: DirectoryFilter) => ({
  ...pagedQuery<DirectoryPage>({
    key: queryKeys.swarms.directory(filter),
    path: (cursor) => `/api/directory?${new URLSearchParams({ ...filter, ...(cursor && { cursor }) })}`,
  }),
  refetchOnMount: 'always' as const,
});
