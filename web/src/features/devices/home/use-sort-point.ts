import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { oncePerClient } from '../../../data/of-client.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useOwnLocation } from '../../../ui/browser/use-own-location.ts';
import type { ListSort } from '../device-filters.ts';

/** From where the list was sorted when the home page was left. */
const leftOf = oncePerClient((): { from: string | null } => ({ from: null }));

/** In degrees: about 200 m. After so far, the list is sorted again. */
const resortAfter = 0.002;

interface Point {
  latitude: number;
  longitude: number;
}

const textOf = ({ latitude, longitude }: Point) => `${latitude},${longitude}`;

function isFar(text: string, { latitude, longitude }: Point): boolean {
  const [fromLatitude = 0, fromLongitude = 0] = text.split(',').map(Number);
  const across = (longitude - fromLongitude) * Math.cos((latitude * Math.PI) / 180);
  return Math.hypot(latitude - fromLatitude, across) > resortAfter;
}

/**
 * From where the list is sorted by distance, and where the user is now: both follow the user as long as the list is sorted so.
 * Null until the location is known. It is in no address: people share links.
 */
export function useSortPoint({ sort, setSort }: { sort: ListSort; setSort(sort: ListSort): void }) {
  const isNearest = sort === 'near';
  const client = useQueryClient();
  const [from, setFrom] = useState(leftOf({ client }).from);
  const { located, locate, stop, error } = useOwnLocation(
    (at) => {
      setFrom(textOf(at));
      setSort('near');
    },
    { follows: true, onFailed: () => isNearest && setSort('name') },
  );
  if (isNearest && located && (from === null || isFar(from, located))) setFrom(textOf(located));
  useEffect(() => {
    leftOf({ client }).from = from;
  }, [client, from]);
  const follow = useEffectEvent(() => located === null && locate());
  const leave = useEffectEvent(() => stop());
  // A page may have been opened with this order.
  useEffect(() => {
    if (!isNearest) return undefined;
    follow();
    return () => leave();
  }, [isNearest]);
  return { from, at: located ? textOf(located) : from, error, ...useStableFunctions({ locate, stop }) };
}
