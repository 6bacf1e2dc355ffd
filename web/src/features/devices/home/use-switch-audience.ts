import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl, listAudience, withFilter } from '../device-filters.ts';
import { useDeviceSelection } from './use-device-selection.ts';

/** Adds the devices of others to the list, or leaves them out. */
export function useSwitchAudience(): () => void {
  const [url, setUrl] = useUrlState(homeUrl);
  const { clear } = useDeviceSelection().check;
  return () => {
    const audience = url.filters.audience ? undefined : 'visible';
    listAudience.set(audience ?? 'own');
    clear();
    setUrl(({ filters }) => ({ filters: withFilter(filters, 'audience', audience) }));
  };
}
