import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { HandoverCreate, Offer } from '@swarmdeck/bff/contract';
import { patchQueries } from '../../data/cache/query-cache.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { isGone } from '../../data/problem.ts';
import { pollUnlessLive } from '../../data/stream/poll-intervals.ts';
import { useChange } from '../../data/use-change.ts';

const pathOf = (resource_id: string) => pathTo('/api/resources/:id/handover', { id: resource_id });

/** To whom an own device is offered; null if it is not, or is gone. */
export const handoverQuery = (resource_id: string) =>
  queryOptions({
    queryKey: queryKeys.handover(resource_id),
    queryFn: async ({ signal }) => {
      try {
        return (await send({ path: pathOf(resource_id), signal })).data ?? null;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    refetchInterval: pollUnlessLive(20_000),
  });

const changed = (id: string) => ({ type: 'handover.changed', data: { id } }) as const;

export const useOfferDevice = (id: string) =>
  useChange((body: HandoverCreate) => send({ method: 'PUT', path: pathOf(id), body }), changed(id));

/**
 * Returns a function that removes the answered offers of a device or a swarm from the cached ones: these may be stored, and shown
 * without a network, before they are read again.
 */
export function useRemoveOffers() {
  const client = useQueryClient();
  return (id: string) =>
    patchQueries<Offer[]>(client, queryKeys.offers, (offers) =>
      offers.filter((offer) => ('swarm' in offer ? offer.swarm : offer.resource).id !== id),
    );
}

/** The owner withdraws the offer, or the user who is offered the device declines it. */
export function useEndOffer(id: string) {
  const removeOffers = useRemoveOffers();
  return useChange(async () => {
    await send({ method: 'DELETE', path: pathOf(id) });
    removeOffers(id);
  }, changed(id));
}

/** The device is in the lists of its new owner afterwards. */
export function useTakeOver(id: string) {
  const removeOffers = useRemoveOffers();
  return useChange(
    async (user_id: string) => {
      await send({ method: 'PUT', path: pathTo('/api/resources/:id/owner', { id }), body: { user_id } });
      removeOffers(id);
    },
    { type: 'device.taken_over', data: { id } },
  );
}
