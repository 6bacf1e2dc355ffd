import { queryOptions } from '@tanstack/react-query';
import type { JoinLink, JoinLinkCreate } from '@swarmdeck/bff/contract';
import { read, send } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { pollUnlessLive } from '../../../data/stream/poll-intervals.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { useChange, useCreate } from '../../../data/use-change.ts';
import { consentReads } from '../../../shared/flow.tsx';

/** Poll interval of a visible page while the stream is not live. */
const refetchInterval = pollUnlessLive(20_000);

/** The links of an own swarm, oldest first. */
export const linksQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.links(swarm_id),
    queryFn: ({ signal }) => read('/api/swarms/:id/links', { id: swarm_id }, { signal }),
    refetchInterval,
  });

/** What a link offers. It is read again while its page is shown, because no event says what has changed, until it has ended. */
export const offerQuery = (code: string) =>
  queryOptions({
    queryKey: queryKeys.joinOffer(code),
    queryFn: ({ signal }) => read('/api/links', {}, { query: `code=${encodeURIComponent(code)}`, signal }),
    ...consentReads,
  });

export const useCreateLink = (swarm_id: string) =>
  useCreate<JoinLinkCreate, JoinLink>(pathTo('/api/swarms/:id/links', { id: swarm_id }), () => ({
    type: 'link.changed',
    data: { swarm_id },
  }));

export const useEndLink = ({ swarm_id, id }: Pick<JoinLink, 'swarm_id' | 'id'>) =>
  useChange(
    () => send({ method: 'DELETE', path: pathTo('/api/swarms/:id/links/:link_id', { id: swarm_id, link_id: id }) }),
    {
      type: 'link.changed',
      data: { swarm_id },
    },
  );
