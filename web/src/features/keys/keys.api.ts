import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AccountKeys, ApiKey, CreatedApiKey, DeviceKeys, Resource, ResourceCreate } from '@swarmdeck/bff/contract';
import { minuteMs } from '@swarmdeck/bff/durations';
import type { KeyScope } from '@swarmdeck/bff/field-rules';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { send } from '../../data/client.ts';
import { isGone } from '../../data/problem.ts';
import { serverNow } from '../../data/server-clock.ts';
import { useChange, useCreate } from '../../data/use-change.ts';

/** In ms: the first use of a key has no event. */
const usedInterval = 10_000;
/** In ms: for so long after a key was made, its first use is waited for. */
const usedSoon = 15 * minuteMs;

const isWaitedFor = ({ last_used_on, created_at }: ApiKey) =>
  last_used_on === undefined && serverNow() - Date.parse(created_at) < usedSoon;

export const keysQuery = queryOptions({
  queryKey: accountKeys.apiKeys,
  queryFn: async ({ signal }) => (await send<AccountKeys>({ path: '/api/account/keys', signal })).data,
  refetchInterval: ({ state: { data } }) =>
    [...(data?.items ?? []), ...(data?.device_keys.items ?? [])].some(isWaitedFor) && usedInterval,
  refetchOnWindowFocus: 'always',
});

const deviceKeysPath = (resource_id: string) => `/api/devices/${resource_id}/keys`;

const deviceKeysRead = (resource_id: string) =>
  queryOptions({
    queryKey: accountKeys.deviceKeys(resource_id),
    queryFn: async ({ signal }) => (await send<DeviceKeys>({ path: deviceKeysPath(resource_id), signal })).data,
    refetchInterval: ({ state: { data } }) => data?.items.some(isWaitedFor) === true && usedInterval,
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

/** A key that was just created. */
export interface MadeKey extends CreatedApiKey {
  /** The device that it acts for. */
  resource_id?: string | undefined;
  /** When it was asked for first, in ms: an answer may have been lost before. */
  since?: number;
}

/** `resource_id`: the only device that the key acts for. Only such a key can have an end, and only another one a scope. */
interface NewKey {
  resource_id?: string;
  name: string;
  expires_at?: string;
  scope?: KeyScope;
}

export function useCreateKey() {
  /** In ms of the page. */
  const begun = useRef<number>(undefined);
  return useChange(
    async ({ resource_id, ...body }: NewKey): Promise<MadeKey> => {
      begun.current ??= performance.now();
      const path = resource_id === undefined ? '/api/account/keys' : deviceKeysPath(resource_id);
      const { data } = await send<CreatedApiKey>({ method: 'POST', path, body });
      // The times of the server are whole ms: that of an earlier key may be cut by nearly one.
      const since = Date.parse(data.created_at) - (performance.now() - begun.current) - 1;
      return { ...data, resource_id, since };
    },
    keysChanged,
    { isShownOnce: true },
  );
}

/**
 * The keys that were created before this one because an answer was lost, of which a browser sends the request again by itself: nobody has
 * seen them.
 */
export function useUnseenKeys({ id, name, resource_id, since = Infinity }: MadeKey): ApiKey[] {
  const ofAccount = useQuery({ ...keysQuery, enabled: resource_id === undefined }).data?.items;
  const ofDevice = useQuery({ ...deviceKeysQuery(resource_id ?? ''), enabled: resource_id !== undefined }).data;
  const isUnseen = (key: ApiKey) =>
    key.id !== id && key.name === name && key.last_used_on === undefined && Date.parse(key.created_at) >= since;
  return (ofDevice ?? ofAccount ?? []).filter(isUnseen);
}

/** Any key of the user, also one of a device. */
export const useRevokeKey = () => useChange(revokeKey, keysChanged);

const revokeKey = (id: string) => send({ method: 'DELETE', path: `/api/account/keys/${id}` });

/** Revokes all keys of phones that report as this device. They are read first: another tab may have made one. */
export const useStopSharing = () =>
  useChange(async (resource_id: string) => {
    const { items } = (await send<DeviceKeys>({ path: deviceKeysPath(resource_id) })).data;
    for (const { id } of phoneKeys(items, serverNow())) await revokeKey(id).catch(ignoreGone);
  }, keysChanged);

/** It was revoked by another tab, or by a request whose answer was lost, which a browser sends again by itself. */
function ignoreGone(error: unknown) {
  if (!isGone(error)) throw error;
}
