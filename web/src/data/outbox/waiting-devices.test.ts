import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { queryKeys } from '../cache/query-keys.ts';
import { valuesOf } from '../forms/device-fields.ts';
import { forgetPage } from '../new-page.ts';
import { observeServerTime } from '../server-clock.ts';
import type { OutboxEntry, OutboxTask } from './outbox-entry.ts';
import { waitingDevices } from './waiting-devices.ts';

const gate: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Gate',
  machine_type: 'pc',
  created_at: '2026-01-02T03:00:00.000Z',
};
const at = Date.parse('2026-01-02T03:05:00.000Z');
const entry = (id: string, task: OutboxTask, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id,
  user_id: 'ann',
  at,
  task,
  ...more,
});
// Another test in this worker may have set the server's clock.
beforeEach(forgetPage);

const change = { base: valuesOf(gate), mine: { ...valuesOf(gate), name: 'Gate 2' }, etag: '"1"' };

test('new devices and edited ones wait, as far as they are known, and not those that have failed', () => {
  const client = new QueryClient();
  client.setQueryData(queryKeys.device.record('a'), { resource: gate, etag: '"1"', at: gate.created_at });
  const buoy = { name: 'Buoy', machine_type: 'bug', position: { longitude: 10, latitude: 54 } } as const;
  const found = waitingDevices(client, [
    entry('new', { type: 'create', device: buoy }),
    entry('edit', { type: 'edit', device: { id: 'a', name: 'Gate' }, change }),
    entry('unknown', { type: 'edit', device: { id: 'b', name: 'Other' }, change }),
    entry('failed', { type: 'create', device: buoy }, { failure: { code: 'storage.full' } }),
    entry('answer', { type: 'action', action: { kind: 'delete_view', about: {}, items: [] } }),
  ]);
  expect(found).toMatchObject([
    { isNew: true, device: { ...buoy, id: 'new', user_id: 'ann', created_at: '2026-01-02T03:05:00.000Z', swarms: [] } },
    { isNew: false, device: { id: 'a', name: 'Gate', swarms: [] } },
  ]);
});

test('a new device is as old as it is by the server’s clock, which may differ from that of this machine', () => {
  observeServerTime({ date: new Date(at + 7_200_000).toUTCString(), now: at });
  const [found] = waitingDevices(new QueryClient(), [
    entry('new', { type: 'create', device: { name: 'Buoy', machine_type: 'bug' } }),
  ]);
  expect(found?.device.created_at).toBe('2026-01-02T05:05:00.000Z');
});
