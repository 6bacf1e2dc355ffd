import { queryOptions } from '@tanstack/react-query';
import type { Device, Member } from '@swarmdeck/bff/contract';
import { send } from '../client.ts';
import { isGone } from '../problem.ts';
import { pollIntervalAlways } from '../stream/connection-status.ts';
import { queryKeys } from './query-keys.ts';

/** Of a visible page while the stream is not live. */
const refetchInterval = pollIntervalAlways(15_000);

/**
 * One device as in a list, whoever owns it: its row, whether it is heard, and what its owner sees besides. Null if the
 * user does not see it. In the audience of a swarm, it has its role.
 */
export function deviceQuery(id: string, audience = 'visible') {
  return queryOptions({
    queryKey: queryKeys.device.row(id, audience),
    queryFn: async ({ signal }): Promise<Device | Member | null> => {
      const path = `/api/devices/${encodeURIComponent(id)}?${new URLSearchParams({ audience })}`;
      try {
        return (await send<Device | Member>({ path, signal })).data;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    refetchInterval,
  });
}

/** Selects whether a device is heard. */
export const presenceOf = (device: Device | null) => device?.presence;
