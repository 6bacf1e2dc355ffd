import type { SwarmItem } from '@swarmdeck/bff/contract';
import { useRef } from 'react';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { useMapWith } from '../../../data/cache/query-cache.ts';
import type { VirtualListHandle } from '../../../ui/lists/list-sections.ts';
import { membersQuery } from '../swarms.api.ts';
import { useMemberFilters, useMemberSort } from './use-member-filters.ts';

/** The table of the members, as the URL filters and sorts them, with its search field. */
export function useMemberList({ id }: Pick<SwarmItem, 'id'>) {
  const { filters } = useMemberFilters();
  const { sort } = useMemberSort();
  const members = membersQuery({ id, filters, sort });
  const { query, rows, first } = usePagedQuery(members);
  useMapWith(members);
  const handle = useRef<VirtualListHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  return { query, rows, facets: first?.facets, total: first?.total, handle, searchField };
}

export type MemberList = ReturnType<typeof useMemberList>;
