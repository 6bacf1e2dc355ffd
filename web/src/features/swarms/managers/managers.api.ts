import { queryOptions } from '@tanstack/react-query';
import type { ManagerRole } from '@swarmdeck/bff/contract';
import { read, send } from '../../../data/client.ts';
import { pollUnlessLive } from '../../../data/stream/poll-intervals.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { useRemoveOffers } from '../../../shared/handover/handover.api.ts';
import { useChange } from '../../../data/use-change.ts';

/** Poll interval of a visible page while the stream is not live. */
const refetchInterval = pollUnlessLive(20_000);

/** The managers and watchers of a swarm and the users who were asked, oldest first. */
export const managersQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.managers(swarm_id),
    queryFn: ({ signal }) => read('/api/swarms/:id/managers', { id: swarm_id }, { signal }),
    refetchInterval,
  });

/** The swarms that the user is asked to manage, to watch or to own. */
export const offersQuery = queryOptions({
  queryKey: queryKeys.offers,
  queryFn: ({ signal }) => read('/api/offers', {}, { signal }),
  refetchInterval,
  refetchOnWindowFocus: 'always',
});

/** What the owner, a manager or a user who was asked does. */
export type ManagerStep =
  | { act: 'ask'; user_id: string; role: ManagerRole; ends_at?: string }
  | { act: 'agree' | 'remove' | 'hand_over' | 'take_over'; user_id: string }
  | { act: 'end_handover' };

function requestOf(step: ManagerStep): Parameters<typeof send>[0] {
  if (step.act === 'end_handover') return { method: 'DELETE', path: '/handover' };
  const { user_id } = step;
  if (step.act === 'ask') {
    const { act: _, ...body } = step;
    return { method: 'POST', path: '/managers', body };
  }
  const { act } = step;
  const manager = `/managers/${encodeURIComponent(user_id)}`;
  const requests: Record<typeof act, Parameters<typeof send>[0]> = {
    agree: { method: 'PUT', path: manager, body: { status: 'agreed' } },
    remove: { method: 'DELETE', path: manager },
    hand_over: { method: 'PUT', path: '/handover', body: { user_id } },
    take_over: { method: 'PUT', path: '/owner', body: { user_id } },
  };
  return requests[act];
}

export function useManagerStep(swarm_id: string) {
  const removeOffers = useRemoveOffers();
  return useChange(
    async (step: ManagerStep) => {
      const { path, ...request } = requestOf(step);
      await send({ ...request, path: `/api/swarms/${swarm_id}${path}` });
      removeOffers(swarm_id);
    },
    { type: 'manager.changed', data: { swarm_id } },
  );
}
