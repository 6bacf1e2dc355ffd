import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import type { Device, DevicePage, Member, Resource } from '@swarmdeck/bff/contract';
import { expect, test } from 'vitest';
import { patchDeviceRow } from './cached-devices.ts';
import { isSameRow } from './device-row.ts';
import { queryKeys } from './query-keys.ts';

const resource: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Buoy',
  machine_type: 'pc',
  created_at: '2026-01-02T03:00:00.000Z',
  position: { latitude: 54, longitude: 10 },
};
const row: Device = {
  ...resource,
  changed_at: resource.created_at,
  presence: { state: 'online', heard_at: '2026-01-02T03:04:00.000Z' },
  phone: { battery: 80 },
  refusals: { wrong_keys: { times: 3, last_at: resource.created_at } },
  swarms: [{ id: 's', name: 'Harbour', resource_type: 'producer' }],
};

test('after an own save, a row keeps all that is no part of the resource, and loses what was removed from it', () => {
  const client = new QueryClient();
  const key = queryKeys.devices.list('', null);
  client.setQueryData(key, { pages: [{ items: [row] }], pageParams: [null] });
  const { position: _removed, ...rest } = resource;
  patchDeviceRow(client, { ...rest, name: 'Gauge', modified_at: '2026-01-02T04:00:00.000Z' });
  const [saved] = client.getQueryData<InfiniteData<DevicePage>>(key)!.pages[0]!.items;
  const { presence, phone, refusals, swarms } = row;
  expect(saved).toMatchObject({ name: 'Gauge', changed_at: '2026-01-02T04:00:00.000Z' });
  expect(saved).toMatchObject({ presence, phone, refusals, swarms });
  expect(saved).not.toHaveProperty('position');
});

test('after an own save, the card of the device shows it, and that of a member has what it is in the swarm', () => {
  const client = new QueryClient();
  const member: Member = { ...row, resource_type: 'producer', member_since: resource.created_at };
  const ofMember = queryKeys.device.row('a', 'swarm:s');
  client.setQueryData(ofMember, member);
  client.setQueryData(queryKeys.device.row('a'), row);
  client.setQueryData(queryKeys.device.row('b'), null);
  patchDeviceRow(client, { ...resource, name: 'Gauge', modified_at: '2026-01-02T04:00:00.000Z' });
  expect(client.getQueryData(queryKeys.device.row('a'))).toMatchObject({ name: 'Gauge', phone: row.phone });
  expect(client.getQueryData(ofMember)).toBe(member);
  expect(client.getQueryData(queryKeys.device.row('b'))).toBeNull();
});

test('a row is another one if anything has changed that does not change the time of the device', () => {
  expect(isSameRow(row, { ...row })).toBe(true);
  const { refusals: _refusals, ...heard } = row;
  expect(isSameRow(row, heard)).toBe(false);
  expect(isSameRow(row, { ...row, phone: { battery: 79 } })).toBe(false);
  expect(isSameRow(row, { ...row, swarms: [] })).toBe(false);
});
