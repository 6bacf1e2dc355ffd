import { queryOptions } from '@tanstack/react-query';
import { read, send } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { pollUnlessLive } from '../../../data/stream/poll-intervals.ts';
import { queryKeys, type Mailbox } from '../../../data/cache/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';

/** Poll interval of a visible page while the stream is not live. */
const refetchInterval = pollUnlessLive(20_000);
/** So many are read. The inbox has all. */
const mostRead = 100;

/**
 * The newest open requests to join a swarm, to the user or by the user: a list of the inbox, so that all its changes apply.
 * A user has no other invitations to an own swarm. Of another one, the page may also have some that a manager has sent.
 */
export const requestsQuery = ({ swarm_id: swarm, box }: { swarm_id: string; box: Mailbox }) =>
  queryOptions({
    queryKey: queryKeys.invitations.head({ box, side: 'new', q: '', swarm }),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ box, state: 'new', swarm, limit: String(mostRead) });
      return await read('/api/inbox', {}, { query, signal });
    },
    select: ({ items, total }) => ({
      items: items.filter(({ is_request }) => is_request),
      unread: total - items.length,
    }),
    refetchInterval,
  });

export const blockedQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.blocked(swarm_id),
    queryFn: ({ signal }) => read('/api/swarms/:id/blocked-users', { id: swarm_id }, { signal }),
    refetchInterval,
  });

export const useUnblock = (swarm_id: string) =>
  useChange(
    (user_id: string) =>
      send({ method: 'DELETE', path: pathTo('/api/swarms/:id/blocked-users/:user_id', { id: swarm_id, user_id }) }),
    {
      type: 'blocked_users.changed',
      data: { swarm_id },
    },
  );
