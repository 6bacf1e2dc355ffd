import { useUrlState } from '../../../ui/url-state.ts';
import { isByValue, sortedBy, type ValueFilter } from '../../../data/filter-params.ts';
import { membersUrl, withShownValue, type MemberFilters, type MemberSort } from './member-filters.ts';

/** The filters and the order of the members, which are in the URL. */
export function useMemberFilters() {
  const [{ filters, sort, byValue }, setUrl] = useUrlState(membersUrl);
  return {
    filters,
    // A value that is shown leaves nobody out.
    isFiltered: Object.keys(filters).some((name) => name !== 'values'),
    change: (change: (now: MemberFilters) => MemberFilters) => setUrl((now) => ({ filters: change(now.filters) })),
    sort,
    /** Those that need no value, if none is shown. */
    mayBeSortedBy: (one: MemberSort) => !isByValue(one) || filters.values !== undefined,
    sortBy: (next: MemberSort) => setUrl((now) => sortedBy(next, now.filters)),
    /** The value that is in each row and beside each symbol; undefined if none is. */
    valueKey: filters.values?.[0],
    byValue,
    showValue: (chosen: ValueFilter, isColoured: boolean) =>
      setUrl((now) => ({ ...withShownValue(now, chosen), byValue: isColoured })),
  };
}
