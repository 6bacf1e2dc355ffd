import { QueryClient } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { expect, test, vi } from 'vitest';
import { patchResource } from '../../data/cache/cached-devices.ts';
import { deviceRecordQuery } from './device.api.ts';

const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
const device = (minute: number): Resource => ({
  id: 'a',
  user_id: 'ann',
  name: `Buoy ${minute}`,
  machine_type: 'bug',
  created_at: at(0),
  modified_at: at(minute),
});

/** Reads the device, of which `known` is known. `during`: what happens before the response arrives. */
async function read(options: { known: Resource; stored: Resource; during?: (client: QueryClient) => void }) {
  const { known, stored, during } = options;
  const client = new QueryClient();
  const query = deviceRecordQuery('a');
  client.setQueryData(query.queryKey, { resource: known, etag: '"2"', at: at(2) });
  vi.stubGlobal('fetch', async () => {
    during?.(client);
    return Response.json(stored);
  });
  const { resource } = await client.fetchQuery({ ...query, staleTime: 0 });
  client.clear();
  return resource.name;
}

test('a state that the stream has delivered during the request stays', async () => {
  const during = (client: QueryClient) => patchResource(client, device(3));
  expect(await read({ known: device(1), stored: device(2), during })).toBe('Buoy 3');
});

test('a response that is older than what was known before is shown: the server was restored from a backup', async () => {
  expect(await read({ known: device(2), stored: device(1) })).toBe('Buoy 1');
});
