import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Device, Resource } from '@swarmdeck/bff/contract';
import {
  cachedDevice,
  forgetDeviceChanges,
  removeDeviceRows,
  withValues,
  type DeviceChanges,
} from './cached-devices.ts';
import { queryKeys } from './query-keys.ts';

const phone: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Phone',
  machine_type: 'smartphone',
  position: { latitude: 54, longitude: 10 },
  positioned_at: '2026-01-02T03:00:00.000Z',
  accuracy: 10,
  created_at: '2026-01-02T03:00:00.000Z',
};

test('what was reported is about the reported position, not about one that the user has chosen', () => {
  const { accuracy: _accuracy, positioned_at: _at, ...rest } = phone;
  const position = { latitude: 55, longitude: 11 };
  expect(withValues(phone, { position })).toEqual({ ...rest, position });
  expect(withValues(phone, { position: undefined })).toEqual({ ...rest, position: undefined });
  expect(withValues(phone, { name: 'My phone' })).toEqual({ ...phone, name: 'My phone' });
});

const row: Device = { ...phone, changed_at: phone.created_at, presence: { state: 'never' }, swarms: [] };
const rowOf = (id: string): Device => ({ ...row, id });
const listKey = queryKeys.devices.list('', null);
const changesKey = queryKeys.devices.changesSince(phone.created_at);

/** The devices a, b and c in a list of two pages; a and b have changed since, and a is shown alone. */
function cacheOfThree() {
  const client = new QueryClient();
  const pages = [
    { items: [rowOf('a'), rowOf('b')], total: 3, at: phone.created_at },
    { items: [rowOf('b'), rowOf('c')], total: 3 },
  ];
  client.setQueryData(listKey, { pages, pageParams: [null, 'b'] });
  client.setQueryData<DeviceChanges>(changesKey, {
    devices: new Map([
      ['a', rowOf('a')],
      ['b', rowOf('b')],
    ]),
  });
  client.setQueryData(queryKeys.device.row('a'), rowOf('a'));
  client.setQueryData(queryKeys.device.row('c'), rowOf('c'));
  return {
    client,
    listed: () =>
      client
        .getQueryData<{ pages: { items: Device[]; total: number }[] }>(listKey)!
        .pages.map(({ items, total }) => [items.map(({ id }) => id).join(), total]),
    changed: () => [...client.getQueryData<DeviceChanges>(changesKey)!.devices.keys()],
    card: (id: string) => client.getQueryData<Device | null>(queryKeys.device.row(id)),
  };
}

test('a device that this page has deleted leaves the lists, what has changed since, and its card', () => {
  const { client, listed, changed, card } = cacheOfThree();
  removeDeviceRows(client, new Set(['a', 'b']));
  expect([listed(), changed()]).toEqual([
    [
      ['', 1],
      ['c', 1],
    ],
    [],
  ]);
  expect([card('a'), card('c')?.id]).toEqual([null, 'c']);
});

test('the newest counts of a list are without the devices that this page has deleted', () => {
  const { client } = cacheOfThree();
  const counts = { total: 5 } as DeviceChanges['counts'];
  const changes = client.getQueryData<DeviceChanges>(changesKey)!;
  // The device d was added after the list was read.
  const devices = new Map([...changes.devices, ['d', rowOf('d')]]);
  client.setQueryData<DeviceChanges>(changesKey, { counts, devices });
  const other = queryKeys.devices.changesSince('of another list');
  client.setQueryData<DeviceChanges>(other, { counts, devices: new Map() });
  removeDeviceRows(client, new Set(['b', 'c', 'd', 'unlisted']));
  const total = (key: typeof other) => client.getQueryData<DeviceChanges>(key)?.counts?.total;
  expect([total(changesKey), total(other)]).toEqual([2, 5]);
});

test('the rows of a device that was deleted elsewhere stay in their places', () => {
  const { client, listed, changed } = cacheOfThree();
  forgetDeviceChanges(client, new Set(['a']));
  expect([listed(), changed()]).toEqual([
    [
      ['a,b', 3],
      ['b,c', 3],
    ],
    ['b'],
  ]);
});

test('a device is known in its newest state, also if its list was read before', () => {
  const client = new QueryClient();
  const moved = { ...row, changed_at: '2026-01-02T03:01:00.000Z' };
  client.setQueryData(queryKeys.devices.list('', null), { pages: [{ items: [row] }], pageParams: [null] });
  expect(cachedDevice(client, 'a')).toBe(row);
  const changes: DeviceChanges = { devices: new Map([['a', moved]]) };
  client.setQueryData(queryKeys.devices.changesSince(phone.created_at), changes);
  expect(cachedDevice(client, 'a')).toBe(moved);
});
