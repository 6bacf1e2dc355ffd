import { queryOptions } from '@tanstack/react-query';
import type { Handover, HandoverCreate } from '@swarmdeck/bff/contract';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { send } from '../../data/client.ts';
import { isGone } from '../../data/problem.ts';
import { pollInterval } from '../../data/stream/connection-status.ts';
import { useChange } from '../../data/use-change.ts';

const pathOf = (resource_id: string) => `/api/resources/${resource_id}/handover`;

/** To whom an own device is offered; null if it is not, or is gone. */
export const handoverQuery = (resource_id: string) =>
  queryOptions({
    queryKey: queryKeys.handover(resource_id),
    queryFn: async ({ signal }) => {
      try {
        return (await send<Handover | undefined>({ path: pathOf(resource_id), signal })).data ?? null;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    refetchInterval: pollInterval(20_000),
  });

const changed = (id: string) => ({ type: 'handover.changed', data: { id } }) as const;

export const useOfferDevice = (id: string) =>
  useChange((body: HandoverCreate) => send({ method: 'PUT', path: pathOf(id), body }), changed(id));

/** The owner withdraws the offer, or the user who is offered the device declines it. */
export const useEndOffer = (id: string) => useChange(() => send({ method: 'DELETE', path: pathOf(id) }), changed(id));

/** The device is in the lists of its new owner afterwards. */
export const useTakeOver = (id: string) =>
  useChange((user_id: string) => send({ method: 'PUT', path: `/api/resources/${id}/owner`, body: { user_id } }), {
    type: 'device.taken_over',
    data: { id },
  });
