import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl, listAudience, withFilter } from '../device-filters.ts';
import { watchedCountQuery } from '../devices.api.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomePlacing } from './use-home-placing.ts';

/** What a user without a device sees: the first steps, and on the map the devices of others. */
export const [HomeStartProvider, useHomeStart] = shareHook(function useHomeStartState() {
  const [, setUrl] = useUrlState(homeUrl);
  const hasNone = useHomeList().counts.facets?.all === 0;
  const isStarting = useHomePlacing().placing === null && hasNone;
  const watched = useQuery({ ...watchedCountQuery, enabled: isStarting }).data ?? 0;
  const isWatching = isStarting && watched > 0;
  const showWatched = useEffectEvent(() =>
    setUrl(({ filters }) => ({ filters: withFilter(filters, 'audience', 'visible') })),
  );
  useEffect(() => {
    if (isWatching && listAudience.get() === 'auto') showWatched();
  }, [isWatching]);
  return {
    /** There is nothing to list. */
    hasNone,
    /** The first steps are shown. */
    isStarting,
    isWatching,
    /** How many devices of others the user sees. */
    watched,
  };
});
