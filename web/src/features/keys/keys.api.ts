import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey, DeviceKeys, Resource, ResourceCreate } from '@swarmdeck/bff/contract';
import { minuteMs } from '@swarmdeck/bff/durations';
import type { KeyScope } from '@swarmdeck/bff/field-rules';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { createShownOnce } from '../../data/create-shown-once.ts';
import { isGone } from '../../data/problem.ts';
import { serverNow } from '../../data/server-clock.ts';
import { pollRarelyWhileLive } from '../../data/stream/poll-intervals.ts';
import { useChange, useCreate } from '../../data/use-change.ts';

/** In ms: the first use of a key has no event. */
const usedInterval = 10_000;
/** In ms: for so long after a key was made, its first use is waited for. */
const usedSoon = 15 * minuteMs;

const isWaitedFor = ({ last_used_at, created_at }: ApiKey) =>
  last_used_at === undefined && serverNow() - Date.parse(created_at) < usedSoon;

/** The stream does not say that a key was created elsewhere, or used. */
const intervalOf = (keys: readonly ApiKey[]) => (keys.some(isWaitedFor) ? usedInterval : pollRarelyWhileLive(15_000)());

export const keysQuery = queryOptions({
  queryKey: accountKeys.apiKeys,
  queryFn: ({ signal }) => read('/api/account/keys', {}, { signal }),
  refetchInterval: ({ state: { data } }) => intervalOf([...(data?.items ?? []), ...(data?.device_keys.items ?? [])]),
  refetchOnWindowFocus: 'always',
});

const deviceKeysPath = (resource_id: string) => pathTo('/api/devices/:id/keys', { id: resource_id });

const deviceKeysRead = (resource_id: string) =>
  queryOptions({
    queryKey: accountKeys.deviceKeys(resource_id),
    queryFn: async ({ signal }) => (await send({ path: deviceKeysPath(resource_id), signal })).data,
    refetchInterval: ({ state: { data } }) => intervalOf(data?.items ?? []),
    refetchOnWindowFocus: 'always',
  });

/** The keys of one device, oldest first. */
export const deviceKeysQuery = (resource_id: string) => ({
  ...deviceKeysRead(resource_id),
  select: ({ items }: DeviceKeys) => items,
});

/** Where devices connect by MQTT; undefined if the server has no MQTT. */
export const mqttQuery = (resource_id: string) => ({
  ...deviceKeysRead(resource_id),
  select: ({ mqtt }: DeviceKeys) => mqtt,
});

const keysChanged = { type: 'api_keys.changed', data: {} } as const;

/** The name of a phone's key. The page of the device finds the phones by it. */
export const phoneKeyName = 'OwnTracks';

/** The keys with which phones can report at this time, in ms. */
export const phoneKeys = (keys: ApiKey[], now: number) =>
  keys.filter((key) => key.name === phoneKeyName && endOf(key) > now);

/** In ms; infinite if the key has no end. */
export const endOf = ({ expires_at }: ApiKey) => (expires_at === undefined ? Infinity : Date.parse(expires_at));

/** A device for a phone that shares its position. */
export const useCreatePhone = () =>
  useCreate<ResourceCreate, Resource>('/api/resources', ({ id }) => ({ type: 'resource.created', data: { id } }));

/** `resource_id`: the only device that the key acts for. Only such a key can have an end, and only another one a scope. */
interface NewKey {
  resource_id?: string;
  name: string;
  expires_at?: string;
  scope?: KeyScope;
}

export function useCreateKey() {
  const client = useQueryClient();
  return useChange(
    ({ resource_id, ...body }: NewKey) => {
      const path = resource_id === undefined ? '/api/account/keys' : deviceKeysPath(resource_id);
      return createShownOnce<CreatedApiKey>({ client, path, body });
    },
    keysChanged,
    { isShownOnce: true },
  );
}

/** Any key of the user, also one of a device. */
export const useRevokeKey = () => useChange(revokeKey, keysChanged);

const revokeKey = (id: string) => send({ method: 'DELETE', path: pathTo('/api/account/keys/:id', { id }) });

/** Revokes all keys of phones that report as this device. They are read first: another tab may have made one. */
export const useStopSharing = () =>
  useChange(async (resource_id: string) => {
    const { items } = (await send({ path: deviceKeysPath(resource_id) })).data;
    for (const { id } of phoneKeys(items, serverNow())) await revokeKey(id).catch(ignoreGone);
  }, keysChanged);

/** It was revoked by another tab, or by a request whose answer was lost, which a browser sends again by itself. */
function ignoreGone(error: unknown) {
  if (!isGone(error)) throw error;
}
