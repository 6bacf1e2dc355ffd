import type { QueryClient } from '@tanstack/react-query';
import { queryOptions } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import type { SendRow } from './job/import-run.ts';

/** Whose rows with an id may be meant. */
export const ownedQuery = queryOptions({
  queryKey: ['devices', 'owned'],
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

/** There are more devices than before: whoever shows lists, maps or counts reads them anew. */
export function announceDevices(client: QueryClient) {
  for (const queryKey of [['devices'], ['map'], ['account']]) void client.invalidateQueries({ queryKey });
}
