/** What changes devices. It loads with the first form, dialog or place that needs it. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  DeviceFilters,
  DevicePage,
  Position,
  Resource,
  ResourceCreate,
  ResourceUpdate,
} from '@swarmdeck/bff/contract';
import { remove, send } from '../../api/client.ts';
import { ProblemError } from '../../api/problem.ts';
import { saveDevice } from './device/device-save.ts';
import type { ResourceRead } from './device/device-save.ts';
import type { DeviceValues } from './form/device-merge.ts';
import { changedAt, readResource, resourceQuery } from './resources.api.ts';

/** Whoever shows lists and maps learns that a device is new, changed or gone; lists nobody looks at are read anew. */
function announce(client: QueryClient, changed?: Resource) {
  if (changed) {
    client.setQueriesData<InfiniteData<DevicePage>>({ queryKey: ['devices', 'pages'] }, (data) =>
      withChange(data, changed),
    );
  }
  void client.invalidateQueries({ queryKey: ['devices', 'pages'], refetchType: 'none' });
  for (const queryKey of [['devices', 'pulse'], ['devices', 'count'], ['devices', 'one'], ['map']]) {
    void client.invalidateQueries({ queryKey });
  }
}

export function useCreateDevice() {
  const client = useQueryClient();
  return useMutation({
    /** `idempotencyKey` stays the same when the same form is sent again: a lost answer must not double the device. */
    mutationFn: async ({ device, idempotencyKey }: { device: ResourceCreate; idempotencyKey: string }) =>
      (
        await send<Resource>({
          method: 'POST',
          path: '/api/resources',
          body: device,
          headers: { 'idempotency-key': idempotencyKey },
        })
      ).data,
    onSuccess: () => {
      announce(client);
      void client.invalidateQueries({ queryKey: ['devices', 'pages'] });
      readAccountAgain(client);
    },
  });
}

const isMoved = (error: unknown) => error instanceof ProblemError && error.problem.status === 412;

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
    mutationFn: (change: { base: DeviceValues; mine: DeviceValues; etag: string | null }) =>
      saveDevice({ ...change, read: () => readResource(id), write: writeResource(id), isMoved }),
    onSuccess: (result) => {
      const read = result.kind === 'saved' ? result.read : result.theirs;
      client.setQueryData(resourceQuery(id).queryKey, read);
      announce(client, read.resource);
    },
  });
}

/** Puts a device somewhere, or takes it off the map. The place was chosen just now: it goes over one that came in between. */
export async function placeDevice(options: { client: QueryClient; id: string; position: Position | null }) {
  const { client, id, position } = options;
  const read = await writeResource(id)({ body: { position }, etag: null });
  client.setQueryData(resourceQuery(id).queryKey, read);
  announce(client, read.resource);
}

/** Destroys it; one that is gone already is as good. Its row leaves every list that is loaded. */
export async function destroyDevice(options: { client: QueryClient; id: string; keepalive: boolean }): Promise<void> {
  const { client, id, keepalive } = options;
  await remove({ path: `/api/resources/${id}`, keepalive });
  client.setQueriesData<InfiniteData<DevicePage>>(
    { queryKey: ['devices', 'pages'] },
    (data) => data && without(data, id),
  );
  client.removeQueries({ queryKey: ['resource', id] });
  announce(client);
  readAccountAgain(client);
}

/** Leaves a swarm; one that it is in no more is as good. */
export async function leaveSwarm(options: { client: QueryClient; id: string; swarm: string; keepalive: boolean }) {
  const { client, id, swarm, keepalive } = options;
  await remove({ path: `/api/swarms/${swarm}/resources/${id}`, keepalive });
  announce(client);
  for (const queryKey of [['resource', id, 'swarms'], ['swarm', swarm], ['swarms']]) {
    void client.invalidateQueries({ queryKey });
  }
}

/** The row is redrawn where it stands. */
function withChange(data: InfiniteData<DevicePage> | undefined, resource: Resource) {
  if (!data?.pages.some((page) => page.items.some(({ id }) => id === resource.id))) return data;
  const changed_at = changedAt(resource);
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((row) => (row.id === resource.id ? { ...resource, changed_at, swarms: row.swarms } : row)),
  }));
  return { ...data, pages };
}

function without(data: InfiniteData<DevicePage>, id: string): InfiniteData<DevicePage> {
  if (!data.pages.some((page) => page.items.some((device) => device.id === id))) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    total: page.total - 1,
    items: page.items.filter((device) => device.id !== id),
  }));
  return { ...data, pages };
}

/** It changed or went, says somebody else: whoever shows it reads it again. */
export function readResourceAgain({ client, id }: { client: QueryClient; id: string }) {
  void client.invalidateQueries({ queryKey: ['resource', id] });
}

/** The account says how many devices there are. */
function readAccountAgain(client: QueryClient) {
  void client.invalidateQueries({ queryKey: ['account'], exact: true });
}

/** Whether this page has the map of an audience before it; other tabs hear of theirs by the same stream. */
export function isMapShown({ client, audience }: { client: QueryClient; audience: string }): boolean {
  return client
    .getQueryCache()
    .findAll({ queryKey: ['map'], type: 'active' })
    .some(({ queryKey: [, filters] }) => (filters as DeviceFilters).audience === audience);
}
