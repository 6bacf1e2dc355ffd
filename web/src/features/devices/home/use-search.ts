import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { filtersOn, homeUrl, removeAllFilters } from '../device-filters.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeSheet } from './use-home-sheet.ts';

/** The search field of the list. */
export const [SearchProvider, useSearch] = shareHook(function useSearchState() {
  const { setStop } = useHomeSheet();
  const field = useRef<HTMLInputElement>(null);
  return {
    field,
    startSearch() {
      // On a phone the field is rendered only at this stop.
      flushSync(() => setStop('list'));
      field.current?.focus();
    },
  };
});

/** Removes all filters if nothing matches them. Returns whether it did. */
export function useRemoveUselessFilters(): () => boolean {
  const [url, setUrl] = useUrlState(homeUrl);
  const { total } = useHomeList().counts;
  return () => {
    const isUseless = filtersOn(url).length > 0 && total === 0;
    if (isUseless) setUrl(removeAllFilters);
    return isUseless;
  };
}
