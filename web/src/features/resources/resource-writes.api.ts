/** Requests that change devices. Loaded with the first form or dialog that needs them. */
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Position, Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../api/changes.ts';
import { send } from '../../api/client.ts';
import { deviceMerge, valuesOf, type DeviceValues } from '../../api/device-fields.ts';
import { saveMerged } from '../../api/merge-fields.ts';
import type { ValuesChange } from '../../api/merged-form.ts';
import { useCreate } from '../../api/use-change.ts';
import { readResource, resourceQuery, type ResourceRead } from './resources.api.ts';

export const useCreateDevice = () =>
  useCreate<ResourceCreate, Resource>('/api/resources', ({ id }) => ({ type: 'resource.created', data: { id } }));

function writeResource(id: string) {
  return async ({ body, etag }: { body: ResourceUpdate; etag: string | null }): Promise<ResourceRead> => {
    const answer = await send<Resource>({
      method: 'PUT',
      path: `/api/resources/${id}`,
      body,
      headers: etag === null ? {} : { 'if-match': etag },
    });
    return { resource: answer.data, etag: answer.etag, at: answer.at };
  };
}

export function useSaveDevice(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ValuesChange<DeviceValues>) =>
      saveMerged({
        ...change,
        fields: deviceMerge,
        valuesOf: ({ resource }: ResourceRead) => valuesOf(resource),
        read: () => readResource(id),
        write: writeResource(id),
      }),
    onSuccess: (result) => {
      const read = result.kind === 'saved' ? result.read : result.theirs;
      client.setQueryData(resourceQuery(id).queryKey, read);
      applyOwnChanges(client, { type: 'resource.updated', data: read.resource });
    },
  });
}

/** Sets or removes a device's position. The user has just chosen it, so it overwrites a concurrent change. */
export async function placeDevice(options: { client: QueryClient; id: string; position: Position | null }) {
  const { client, id, position } = options;
  const read = await writeResource(id)({ body: { position }, etag: null });
  client.setQueryData(resourceQuery(id).queryKey, read);
  applyOwnChanges(client, { type: 'resource.updated', data: read.resource });
}
