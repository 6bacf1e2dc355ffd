import { useUrlState } from '../../../ui/urls/url-state.ts';
import { isByValue, sortedBy, type ValueFilter } from '../../../data/filter-params.ts';
import { membersUrl, withShownValue, type MemberFilters, type MemberSort } from './member-filters.ts';

/** The filters of the members, which are in the URL. */
export function useMemberFilters() {
  const [{ filters }, setUrl] = useUrlState(membersUrl);
  return {
    filters,
    // A value that is shown leaves nobody out.
    isFiltered: Object.keys(filters).some((name) => name !== 'values'),
    change: (change: (now: MemberFilters) => MemberFilters) => setUrl((now) => ({ filters: change(now.filters) })),
  };
}

/** The order of the members, which is in the URL. */
export function useMemberSort() {
  const [{ filters, sort }, setUrl] = useUrlState(membersUrl);
  return {
    sort,
    /** Those that need no value, if none is shown. */
    mayBeSortedBy: (one: MemberSort) => !isByValue(one) || filters.values !== undefined,
    sortBy: (next: MemberSort) => setUrl((now) => sortedBy(next, now.filters)),
  };
}

/** The value that is in each row and beside each symbol. It is in the URL. */
export function useShownValue() {
  const [{ filters, byValue }, setUrl] = useUrlState(membersUrl);
  return {
    /** Undefined if none is shown. */
    valueKey: filters.values?.[0],
    byValue,
    showValue: (chosen: ValueFilter, isColoured: boolean) =>
      setUrl((now) => ({ ...withShownValue(now, chosen), byValue: isColoured })),
  };
}
