/** One device, for its page. resources.api.ts has the lists. */
import { queryOptions } from '@tanstack/react-query';
import type { Device, Resource, Swarm } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { pollIntervalAlways } from '../../data/stream/connection-status.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { changedAt } from '../../data/server-clock.ts';

/** Of a visible page while the stream is not live. */
const refetchInterval = pollIntervalAlways(15_000);

/** A resource with the ETag and the server's time of the response. */
export interface ResourceRead {
  resource: Resource;
  etag: string | null;
  at: string;
}

export async function readResource(id: string, signal?: AbortSignal): Promise<ResourceRead> {
  const { data, etag, at } = await send<Resource>({ path: `/api/resources/${id}`, ...(signal && { signal }) });
  return { resource: data, etag, at };
}

export function resourceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.resource.record(id),
    queryFn: async ({ client, queryKey, signal }) => {
      const read = await readResource(id, signal);
      // The live stream may have delivered a newer state during this request.
      const known = client.getQueryData<ResourceRead>(queryKey);
      return known && changedAt(known.resource) > changedAt(read.resource) ? known : read;
    },
    refetchInterval,
  });
}

/** Whether a device of any user is heard, and what its phone says to its owner. */
export function presenceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.resource.presence(id),
    queryFn: async ({ signal }) => {
      const { data } = await send<Device>({ path: `/api/devices/${id}?audience=visible`, signal });
      return { ...data.presence, phone: data.phone, refusals: data.refusals };
    },
    refetchInterval,
  });
}

export function resourceSwarmsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.resource.swarms(id),
    queryFn: async ({ signal }) => (await send<Swarm[]>({ path: `/api/resources/${id}/swarms`, signal })).data,
  });
}
