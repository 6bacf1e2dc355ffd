import type { QueryClient } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import type { SendRow } from './import-run.ts';

export const sendRow: SendRow = async ({ device, key }) => {
  const headers = { 'idempotency-key': key };
  return (await send<Resource>({ method: 'POST', path: '/api/resources', body: device, headers })).data;
};

/** There are more devices than before: whoever shows lists, maps or counts reads them anew. */
export function announceDevices(client: QueryClient) {
  for (const queryKey of [['devices'], ['map'], ['account']]) void client.invalidateQueries({ queryKey });
}
