import { queryOptions } from '@tanstack/react-query';
import type { Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

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
export async function sendRow({ device, key, change }: ImportRow & { key: string }): Promise<Resource> {
  if (change) {
    return (await send<Resource>({ method: 'PUT', path: `/api/resources/${change.id}`, body: change.body })).data;
  }
  const headers = { 'idempotency-key': key };
  return (await send<Resource>({ method: 'POST', path: '/api/resources', body: device, headers })).data;
}
