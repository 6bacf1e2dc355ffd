import { pathTo } from '../../../data/path-to.ts';
import type { DirectorySort } from '@swarmdeck/bff/contract';
import { pagedQuery } from '../../../data/cache/paged-query.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';

export interface DirectoryFilter {
  q: string;
  sort: DirectorySort;
}

/** In ms, also while the stream is live: it has no events of other users' swarms. */
const directoryInterval = 15_000;

/** The public swarms of all users that their owners list. */
export const directoryQuery = (filter: DirectoryFilter) => ({
  ...pagedQuery({
    key: queryKeys.swarms.directory(filter),
    path: (cursor) => pathTo('/api/directory', {}, new URLSearchParams({ ...filter, ...(cursor && { cursor }) })),
    interval: () => directoryInterval,
  }),
  refetchOnMount: 'always' as const,
});
