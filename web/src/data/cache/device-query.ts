import { queryOptions } from '@tanstack/react-query';
import type { Device, Member } from '@swarmdeck/bff/contract';
import { read } from '../client.ts';
import { isGone } from '../problem.ts';
import { pollRarelyWhileLive } from '../stream/poll-intervals.ts';
import { queryKeys } from './query-keys.ts';

/** In ms while the stream is not live; once a minute while it is, because the stream may leave out devices of others. */
const refetchInterval = pollRarelyWhileLive(15_000);

/**
 * One device as a list shows it, own or not, with its presence and what its owner sees besides. Null if the
 * user does not see it. In the audience of a swarm, it has its role.
 */
export function deviceQuery<Shown extends Device = Device | Member>(id: string, audience = 'visible') {
  return queryOptions({
    queryKey: queryKeys.device.row(id, audience),
    queryFn: async ({ signal }): Promise<Shown | null> => {
      const query = new URLSearchParams({ audience });
      try {
        return (await read('/api/devices/:id', { id }, { query, signal })) as Shown;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    refetchInterval,
  });
}

/** One member of a swarm, in its list or not. */
export const memberQuery = (swarm_id: string, id: string) => deviceQuery<Member>(id, `swarm:${swarm_id}`);

/** Selects whether a device is heard. */
export const presenceOf = (device: Device | null) => device?.presence;
