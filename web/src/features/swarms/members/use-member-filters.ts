import { useUrlState } from '../../../ui/url-state.ts';
import { membersUrl, type MemberFilters, type MemberSort } from './member-filters.ts';

/** The filters and the order of the members, which are in the URL. */
export function useMemberFilters() {
  const [{ filters, sort }, setUrl] = useUrlState(membersUrl);
  return {
    filters,
    isFiltered: Object.keys(filters).length > 0,
    change: (change: (now: MemberFilters) => MemberFilters) => setUrl((now) => ({ filters: change(now.filters) })),
    sort,
    sortBy: (next: MemberSort) => setUrl({ sort: next }),
  };
}
