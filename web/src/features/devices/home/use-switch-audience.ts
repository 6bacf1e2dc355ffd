import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl, listAudience, withFilter } from '../device-filters.ts';

/** Adds the devices of others to the list, or leaves them out. */
export function useSwitchAudience(): () => void {
  const [url, setUrl] = useUrlState(homeUrl);
  return () => {
    const audience = url.filters.audience ? undefined : 'visible';
    listAudience.set(audience ?? 'own');
    setUrl(({ filters }) => ({ filters: withFilter(filters, 'audience', audience) }));
  };
}
