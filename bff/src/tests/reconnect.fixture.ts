import type { CreatedDeviceKeys, Resource } from '../contract.ts';
import { newKey } from '../core/keys/key-text.ts';
import { createServiceClient } from './service-client.fixture.ts';
import type { TestServer, TestUser } from './test-server.fixture.ts';

export interface KnownDevice {
  id: string;
  key: string;
}

const amount = 300;

/** Devices of Ann with their keys, on a server with rates. */
export async function makeDevicesWithKeys(server: TestServer, ann: TestUser): Promise<KnownDevice[]> {
  const client = createServiceClient('ann', (asked) => server.request('direct', ann, asked));
  const made: Resource[] = [];
  // Fewer at once than a user may.
  while (made.length < amount) made.push(...(await Promise.all(Array.from({ length: 100 }, () => client.device()))));
  const body = { resource_ids: made.map(({ id }) => id) };
  const answer = await server.request('gateway', ann, { method: 'POST', path: '/devices/keys', body });
  const { items } = (await answer.json()) as CreatedDeviceKeys;
  return items.map(({ device, key }) => ({ id: device.id, key }));
}

/** All devices connect at once, while a stranger sends wrong keys with their ids, also before. Returns what each of both got. */
export async function connectAll<Result>(
  devices: readonly KnownDevice[],
  connect: (device: KnownDevice) => Promise<Result>,
): Promise<{ right: Set<Result>; wrong: Set<Result> }> {
  const strangers = () => devices.map(({ id }) => ({ id, key: newKey() }));
  const before = strangers().map(connect);
  const both = strangers().map((stranger, n) => [connect(stranger), connect(devices[n]!)] as const);
  const right = await Promise.all(both.map(([, device]) => device));
  const wrong = await Promise.all([...before, ...both.map(([stranger]) => stranger)]);
  return { right: new Set(right), wrong: new Set(wrong) };
}
