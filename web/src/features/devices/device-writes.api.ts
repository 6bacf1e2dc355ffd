/** Requests that change devices. Loaded with the first form or dialog that needs them. */
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import { applyChanges } from '../../data/stream/lazy-changes.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { cachedDevice, patchDeviceValues, withValues } from '../../data/cache/cached-devices.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { deviceMerge, valuesOf, type DeviceValues } from '../../data/forms/device-fields.ts';
import { ifMatch } from '../../data/if-match.ts';
import { saveMerged, type MergeResult, type SaveResult } from '../../data/forms/merge-fields.ts';
import { deviceOutbox } from '../../data/outbox/device-outbox.ts';
import { outbox } from '../../data/outbox/outbox.ts';
import type { EditEntry, EditTask, Placement } from '../../data/outbox/outbox-entry.ts';
import { useIdempotencyKeys } from '../../data/idempotency-key.ts';
import { isDenied, isUnreachable } from '../../data/problem.ts';
import { userOf } from '../../data/of-client.ts';
import { t } from '../../text/text.ts';
import { changedAt, serverTime } from '../../data/server-clock.ts';
import { useCreate, useSharedPending } from '../../data/use-change.ts';
import { accuracyOfOwn } from '../../ui/browser/use-own-location.ts';
import { readDeviceRecord, deviceRecordQuery, type DeviceRecord } from './device.api.ts';

const path = '/api/resources';
const addKey = ['add', path];

export const useCreateDevice = () =>
  useCreate<ResourceCreate, Resource>(path, ({ id }) => ({ type: 'resource.created', data: { id } }));

/** `key`: the same for a request that is sent again. */
export async function createDevice(options: { client: QueryClient; device: ResourceCreate; key: string }) {
  const { client, device, key } = options;
  const headers = { 'idempotency-key': key };
  const { data } = await send<Resource>({ method: 'POST', path, body: device, headers });
  applyChanges(client, { type: 'resource.created', data: { id: data.id } });
  return data;
}

interface AddedDevice {
  device: ResourceCreate;
  /** The browser has stored it: it is added, also if the page is closed. */
  onStored(): void;
}

/** Adds a device. While the server cannot be reached, it waits in this browser: the result is null then. */
export function useAddDevice() {
  const client = useQueryClient();
  const { keyFor, noteStored, noteDone } = useIdempotencyKeys(path);
  async function postpone(device: ResourceCreate, error: unknown) {
    const user_id = userOf(client);
    if (!isUnreachable(error) || user_id === undefined) throw error;
    await outbox.add({ user_id, id: keyFor(device), task: { type: 'create', device } });
    // It shows what waits once it has not reached the server either.
    void client.invalidateQueries({ queryKey: queryKeys.map.all });
    return null;
  }
  const add = useMutation({
    mutationKey: addKey,
    meta: { failure: () => t.device.add_dialog.failed },
    mutationFn({ device, onStored }: AddedDevice): Promise<Resource | null> {
      const [user_id, key] = [userOf(client), keyFor(device)];
      const answer = createDevice({ client, device, key }).catch((error: unknown) => postpone(device, error));
      if (user_id === undefined) return answer;
      const entry = outbox.newEntry({ user_id, id: key, task: { type: 'create', device } });
      const noteKept = () => {
        noteStored(device);
        onStored();
      };
      void outbox.keepUntil(entry, answer, noteKept).catch(() => undefined);
      return answer;
    },
    onSuccess: (_added, { device }) => noteDone(device),
  });
  return useSharedPending(add, addKey);
}

function writeDeviceRecord(id: string) {
  return async ({ body, etag }: { body: ResourceUpdate; etag: string | null }): Promise<DeviceRecord> => {
    const answer = await send<Resource>({
      method: 'PUT',
      path: pathTo('/api/resources/:id', { id }),
      body,
      headers: ifMatch(etag),
    });
    return { resource: answer.data, etag: answer.etag, at: answer.at };
  };
}

interface DeviceChange {
  client: QueryClient;
  id: string;
  change: EditTask['change'];
}

/** A position that waited is as old as it is, not of now. The server takes a time in the future as now. */
function withPlacement(body: ResourceUpdate, { at, accuracy }: Placement = {}): ResourceUpdate {
  if (!body.position) return body;
  return {
    ...body,
    ...(at !== undefined && { positioned_at: new Date(serverTime(at)).toISOString() }),
    ...(accuracy !== undefined && { accuracy }),
  };
}

/** Saves what has changed. A conflict shows the device as it is on the server, and its page reads that it is gone. */
export async function saveDevice({
  client,
  id,
  change,
}: DeviceChange): Promise<MergeResult<DeviceValues, DeviceRecord>> {
  try {
    const result = await saveMerged({
      ...change,
      fields: deviceMerge,
      valuesOf: ({ resource }: DeviceRecord) => valuesOf(resource),
      read: () => readDeviceRecord(id),
      write: ({ body, etag }) => writeDeviceRecord(id)({ body: withPlacement(body, change.placement), etag }),
    });
    showSaved(client, result.kind === 'saved' ? result.read : result.theirs);
    return result;
  } catch (error) {
    if (isDenied(error)) void client.invalidateQueries({ queryKey: deviceRecordQuery(id).queryKey });
    throw error;
  }
}

function showSaved(client: QueryClient, read: DeviceRecord) {
  client.setQueryData(deviceRecordQuery(read.resource.id).queryKey, read);
  applyChanges(client, { type: 'resource.updated', data: read.resource });
}

/** Saves a device. While the server cannot be reached, the change waits in this browser. */
export function useSaveDevice(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn(change: EditTask['change']): Promise<SaveResult<DeviceValues, DeviceRecord>> {
      const placement = { accuracy: accuracyOfOwn(change.mine.position) };
      return keepUntilAnswered(saveNow, { client, id, change: { ...change, placement } });
    },
  });
}

/** Sends a change, which waits if it does not reach the server, also if the page ends before the answer. */
function keepUntilAnswered<T>(sendChange: (options: DeviceChange) => Promise<T>, options: DeviceChange) {
  const { client, id } = options;
  const change = { ...options.change, placement: { ...options.change.placement, at: Date.now() } };
  const answer = sendChange(options).catch((error: unknown) => postponeChange({ ...options, change }, error));
  const [user_id, device] = [userOf(client), knownDevice(client, id)];
  if (user_id !== undefined && device)
    deviceOutbox.keepUntil(answer, { user_id, device: { id, name: device.name }, change });
  return answer;
}

/** What is saved now is newer than what waits. */
async function saveNow(options: DeviceChange) {
  const result = await saveDevice({ ...options, change: deviceOutbox.afterEdits(options.id, options.change) });
  if (result.kind === 'saved') await deviceOutbox.replaced(options.id, deviceMerge.changed(options.change));
  return result;
}

/**
 * Stores a change that did not reach the server, and shows it.
 * @throws `error` if it cannot wait
 */
async function postponeChange({ client, id, change }: DeviceChange, error: unknown) {
  const user_id = userOf(client);
  const device = knownDevice(client, id);
  if (!isUnreachable(error) || user_id === undefined || !device) throw error;
  await deviceOutbox.add({ user_id, device: { id, name: device.name }, change });
  const values = deviceMerge.mineOf(change);
  patchDeviceValues(client, id, values);
  const resource = withValues(device, values);
  return { kind: 'waits' as const, read: { resource, etag: change.etag, at: changedAt(device) } };
}

/** Deletes an edit that has not reached the server, whose values are shown again. */
export async function discardEdit(client: QueryClient, { id, task: { device, change } }: EditEntry) {
  patchDeviceValues(client, device.id, deviceMerge.mineOf({ base: change.mine, mine: change.base }));
  void client.invalidateQueries({ queryKey: deviceRecordQuery(device.id).queryKey });
  await outbox.remove(id);
}

const knownDevice = (client: QueryClient, id: string): Resource | undefined =>
  client.getQueryData(deviceRecordQuery(id).queryKey)?.resource ?? cachedDevice(client, id);

/**
 * Sets or removes a device's position, with what was reported about it. The user has just chosen it, so it overwrites a concurrent
 * change, and a newer report: `If-Match` makes it an edit.
 */
export async function placeDevice(options: {
  client: QueryClient;
  id: string;
  placed: Pick<Resource, 'position' | 'positioned_at' | 'accuracy'>;
}): Promise<void> {
  const { client, id, placed } = options;
  const { position = null, positioned_at, accuracy } = placed;
  const device = knownDevice(client, id);
  const body = {
    position,
    ...(position && positioned_at !== undefined && { positioned_at }),
    ...(position && accuracy !== undefined && { accuracy }),
  };
  const place = async () => {
    showSaved(client, await writeDeviceRecord(id)({ body, etag: '*' }));
    await deviceOutbox.replaced(id, ['position']);
  };
  if (!device) return place();
  const base = valuesOf(device);
  const mine: DeviceValues = { ...base, position: position ?? undefined };
  await keepUntilAnswered(place, { client, id, change: { base, mine, etag: null } });
}
