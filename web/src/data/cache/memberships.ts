/** The swarms to invite to, and memberships, for all features. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { read } from '../client.ts';
import { queryString } from '../filter-params.ts';
import { queryKeys } from './query-keys.ts';

/**
 * The first 200 matching swarms of those that the user owns (where own devices may be added), or owns or manages (where
 * devices may be invited to).
 */
export const swarmChoicesQuery = ({ relation, q }: { relation: 'owner' | 'manager'; q: string }) =>
  queryOptions({
    queryKey: queryKeys.swarms.choices(relation, q),
    queryFn: ({ signal }) => read('/api/swarm-list', {}, { query: queryString({ relation, q, limit: '200' }), signal }),
    placeholderData: keepPreviousData,
  });

interface Membership {
  swarm_id: string;
  resource_id: string;
}

/** For `usePending`: the pages of the device and of the swarm show the same action. */
export const membershipTarget = ({ swarm_id, resource_id }: Membership) => `membership:${swarm_id}:${resource_id}`;
