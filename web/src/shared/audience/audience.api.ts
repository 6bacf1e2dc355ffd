/** Who sees a device, or the devices of a swarm. */
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { read } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { queryString } from '../../data/filter-params.ts';
import { pollRarelyWhileLive } from '../../data/stream/poll-intervals.ts';

/** Polls also while the stream is live, because there is no event when a link ends by its time. */
const refetchInterval = pollRarelyWhileLive(60_000);

export type AudienceOf = { resource_id: string } | { swarm_id: string };

const pathOf = (of: AudienceOf, query: string) =>
  'resource_id' in of
    ? pathTo('/api/resources/:id/audience', { id: of.resource_id }, query)
    : pathTo('/api/swarms/:id/audience', { id: of.swarm_id }, query);

/** The beginning and the end of a local day such as `2026-05-12`. */
function periodOf(day: string): { from: string; until: string } {
  const from = new Date(`${day}T00:00:00`);
  const until = new Date(from);
  until.setDate(until.getDate() + 1);
  return { from: from.toISOString(), until: until.toISOString() };
}

/** @internal */
export const audienceQuery = (of: AudienceOf, day = '') =>
  pagedQuery({
    key: queryKeys.audience.of(of, day),
    path: (after) => pathOf(of, queryString({ ...(day !== '' && periodOf(day)), after })),
    interval: refetchInterval,
  });

/** `day`: who saw it at any moment of that day; '' for now. */
export const useAudience = (of: AudienceOf, day = '') => useInfiniteQuery(audienceQuery(of, day));

/** The first swarms of a device, for its card. */
export const newestAudienceQuery = (resource_id: string) =>
  queryOptions({
    queryKey: queryKeys.audience.card(resource_id),
    queryFn: ({ signal }) => read('/api/resources/:id/audience', { id: resource_id }, { query: 'limit=20', signal }),
    refetchInterval,
  });

const deviceFilter = (swarm_id: string) => queryString({ swarm: swarm_id });

/** The user's own devices in a swarm: how many, and the first one. */
export const ownMembersQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.devices.count(`own ${deviceFilter(swarm_id)}`),
    queryFn: ({ signal }) => read('/api/devices', {}, { query: `${deviceFilter(swarm_id)}&limit=1`, signal }),
  });

/** All of them, for an action. */
export const ownMembersFilter = (swarm_id: string) => ({ list: 'devices', query: deviceFilter(swarm_id) }) as const;
