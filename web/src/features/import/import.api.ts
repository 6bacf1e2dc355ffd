import { queryOptions } from '@tanstack/react-query';
import type { Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sendInBatch } from '../../api/send-in-batch.ts';
import type { BatchedWrite, BatchOptions } from '../../api/send-in-batch.ts';

/** A device to create, or a change of an existing one. */
export interface ImportRow {
  device: ResourceCreate;
  change?: { id: string; body: ResourceUpdate };
}

/** The devices that rows with an id may change. */
export const ownedQuery = queryOptions({
  queryKey: queryKeys.devices.owned,
  queryFn: async ({ signal }) => (await send<Resource[]>({ path: '/api/resources', signal })).data,
  staleTime: 30_000,
  gcTime: 60_000,
  structuralSharing: false,
});

/** Creates a device, or updates the device of the row. */
export function sendRow({ device, change, ...options }: ImportRow & BatchOptions): Promise<Resource> {
  const write: BatchedWrite = change
    ? { method: 'PUT', path: `/api/resources/${change.id}`, body: change.body }
    : { method: 'POST', path: '/api/resources', body: device };
  return sendInBatch<Resource>({ ...write, ...options });
}
