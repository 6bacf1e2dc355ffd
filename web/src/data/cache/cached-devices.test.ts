import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Device, Resource } from '@swarmdeck/bff/contract';
import { cachedDevice, withValues, type DeviceChanges } from './cached-devices.ts';
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

test('a device is known in its newest state, also if its list was read before', () => {
  const client = new QueryClient();
  const row: Device = { ...phone, changed_at: phone.created_at, presence: { state: 'never' }, swarms: [] };
  const moved = { ...row, changed_at: '2026-01-02T03:01:00.000Z' };
  client.setQueryData(queryKeys.devices.list('', null), { pages: [{ items: [row] }], pageParams: [null] });
  expect(cachedDevice(client, 'a')).toBe(row);
  const changes: DeviceChanges = { devices: new Map([['a', moved]]) };
  client.setQueryData(queryKeys.devices.changesSince(phone.created_at), changes);
  expect(cachedDevice(client, 'a')).toBe(moved);
});
