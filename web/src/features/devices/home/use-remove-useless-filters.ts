import { useUrlState } from '../../../ui/urls/url-state.ts';
import { filtersOn, homeUrl, removeAllFilters } from '../device-filters.ts';
import { useHome } from './home-state.ts';

/** Removes all filters if nothing matches them. Returns whether it did. */
export function useRemoveUselessFilters(): () => boolean {
  const [url, setUrl] = useUrlState(homeUrl);
  const { total } = useHome('list').counts;
  return () => {
    const isUseless = filtersOn(url).length > 0 && total === 0;
    if (isUseless) setUrl(removeAllFilters);
    return isUseless;
  };
}
