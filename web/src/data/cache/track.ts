/** Where a device was, if its owner keeps its track. */
import type { Position, Resource, Track } from '@swarmdeck/bff/contract';
import { queryOptions, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { send } from '../client.ts';
import { pathTo } from '../path-to.ts';
import { changedAt } from '../server-clock.ts';
import { pollUnlessLive } from '../stream/poll-intervals.ts';
import { patchQueries } from './query-cache.ts';
import { queryKeys } from './query-keys.ts';

/** In ms. Until then, a map draws a line from the last point to where the device is. The stream has each move. */
const everyMs = 30_000;
/** Of the server: positions in a track, and ms between two of them. */
const [mostPoints, leastApart] = [1000, 1000];

export interface ShownTrack {
  /** Oldest first. */
  points: Track['points'];
  /** Where the device is now. */
  end: Position | undefined;
  /** The index of the chosen point; null: the newest one. */
  chosen: number | null;
  choose(index: number | null): void;
  /** The path of the file with the whole track. */
  path: string;
}

const pathOf = (id: string) => pathTo('/api/resources/:id/track', { id });

/** The points of the track of a device, oldest first. */
export const trackQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.track(id),
    queryFn: async ({ signal }) => (await send({ path: pathOf(id), signal })).data.points,
    refetchInterval: pollUnlessLive(everyMs),
    gcTime: 0,
  });

/** Adds where a device has moved to its track, if that is shown. */
export function patchTrack(client: QueryClient, resource: Resource): void {
  const { id, position, positioned_at } = resource;
  if (!position) return;
  const point = { at: positioned_at ?? changedAt(resource), ...position };
  patchQueries<Track['points']>(client, queryKeys.track(id), (points) => {
    const last = points.at(-1);
    const isNew = !last || Date.parse(point.at) - Date.parse(last.at) >= leastApart;
    return isNew && (!last || hasMoved(last, position)) ? [...points, point].slice(-mostPoints) : points;
  });
}

/** Points have five decimals. */
const hasMoved = (from: Position, to: Position) =>
  (['latitude', 'longitude'] as const).some((side) => Math.abs(from[side] - to[side]) > 1e-5);

/** Null without a track, and until it is known. */
export function useTrack(device: Pick<Resource, 'id' | 'keep_track' | 'position'> | null): ShownTrack | null {
  const id = device?.id ?? '';
  const query = trackQuery(id);
  const { data: points } = useQuery(device?.keep_track ? query : { ...query, queryFn: skipToken });
  // By its time, because the oldest points are dropped.
  const [time, setTime] = useState<string | null>(null);
  const isKept = device?.keep_track === true;
  const { latitude, longitude } = device?.position ?? {};
  return useMemo(() => {
    if (!points || !isKept) return null;
    const index = time === null ? -1 : points.findIndex(({ at }) => at === time);
    return {
      points,
      end: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
      chosen: index === -1 ? null : index,
      choose: (to) => setTime(to === null ? null : points[to]!.at),
      path: `${pathOf(id)}?format=geojson`,
    };
  }, [points, isKept, time, latitude, longitude, id]);
}
