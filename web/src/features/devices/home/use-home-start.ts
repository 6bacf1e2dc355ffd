import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl, listAudience, withFilter } from '../device-filters.ts';
import { watchedCountQuery } from '../devices.api.ts';
import type { HomeList } from './use-home-list.ts';
import type { HomePlacing } from './use-home-placing.ts';

interface HomeStartOptions {
  list: Pick<HomeList, 'counts'>;
  placing: Pick<HomePlacing, 'placing'>;
}

/** What a user without a device sees: the first steps, and on the map the devices of others. */
export function useHomeStart({ list: { counts }, placing: { placing } }: HomeStartOptions) {
  const [, setUrl] = useUrlState(homeUrl);
  const isEmpty = counts.facets?.all === 0;
  const [isWaiting, setWaiting] = useState(false);
  const hasNone = isEmpty && !isWaiting;
  const isStarting = placing === null && hasNone;
  const watched = useQuery({ ...watchedCountQuery, enabled: isStarting }).data ?? 0;
  const isWatching = isStarting && watched > 0;
  const showWatched = useEffectEvent(() =>
    setUrl(({ filters }) => ({ filters: withFilter(filters, 'audience', 'visible') })),
  );
  useEffect(() => {
    if (isWatching && listAudience.get() === 'auto') showWatched();
  }, [isWatching]);
  return {
    /** The server has no device of the user, as far as this browser knows. */
    isEmpty,
    /** There is nothing to list: no new device waits for the server either. */
    hasNone,
    /** Call it with whether a new device waits. */
    setWaiting,
    /** The first steps are shown. */
    isStarting,
    isWatching,
    /** How many devices of others the user sees. */
    watched,
  };
}
