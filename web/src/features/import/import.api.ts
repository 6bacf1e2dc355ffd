import { queryOptions } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SendRow } from './job/import-run.ts';

/** Whose rows with an id may be meant. */
export const ownedQuery = queryOptions({
  queryKey: queryKeys.devices.owned,
  queryFn: async ({ signal }) => (await send<Resource[]>({ path: '/api/resources', signal })).data,
  staleTime: 30_000,
  gcTime: 60_000,
  structuralSharing: false,
});

export const sendRow: SendRow = async ({ device, key, change }) => {
  if (change) {
    return (await send<Resource>({ method: 'PUT', path: `/api/resources/${change.id}`, body: change.body })).data;
  }
  const headers = { 'idempotency-key': key };
  return (await send<Resource>({ method: 'POST', path: '/api/resources', body: device, headers })).data;
};
