/** One device, for its page. devices.api.ts has the lists, data/cache/device-query.ts a device as in a list. */
import { queryOptions } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { pollRarelyWhileLive } from '../../data/stream/poll-intervals.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { changedAt } from '../../data/server-clock.ts';

/** The poll interval of a visible page while the stream is not live. */
const refetchInterval = pollRarelyWhileLive(15_000);

/** A resource with the ETag and the server's time of the response. */
export interface DeviceRecord {
  resource: Resource;
  etag: string | null;
  at: string;
}

export async function readDeviceRecord(id: string, signal?: AbortSignal): Promise<DeviceRecord> {
  const { data, etag, at } = await send({ path: pathTo('/api/resources/:id', { id }), ...(signal && { signal }) });
  return { resource: data, etag, at };
}

export function deviceRecordQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.device.record(id),
    queryFn: async ({ client, queryKey, signal }) => {
      const knownBefore = client.getQueryData<DeviceRecord>(queryKey);
      const read = await readDeviceRecord(id, signal);
      // The live stream may have delivered a newer state during this request. What was known before it may be newer too, but does
      // not count: the server was restored from a backup.
      const known = client.getQueryData<DeviceRecord>(queryKey);
      return known && known !== knownBefore && changedAt(known.resource) > changedAt(read.resource) ? known : read;
    },
    refetchInterval,
  });
}

/** How an own device that is gone has ended, by the activity log. Null if the log does not have it. */
export function deviceEndQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.device.end(id),
    queryFn: async ({ signal }) => {
      const search = new URLSearchParams({ resource_id: id, topic: 'resource' });
      const { items } = await read('/api/activity', {}, { query: search, signal });
      return items.find(({ kind }) => kind === 'resource.deleted' || kind === 'resource.handed_over') ?? null;
    },
  });
}

export function deviceSwarmsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.device.swarms(id),
    queryFn: ({ signal }) => read('/api/resources/:id/swarms', { id }, { signal }),
  });
}
