// stores: SQLite, PostgreSQL
/** Devices that connect at once after a restart, while a stranger sends wrong keys from their address. */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { generate, parser, type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../app.ts';
import type { CreatedDeviceKeys, Resource } from '../contract.ts';
import { newKey } from '../core/keys/key-text.ts';
import { createServiceClient } from './service-client.fixture.ts';
import { createTestServer, origin, type TestServer, type TestUser } from './test-server.fixture.ts';

interface Device {
  id: string;
  key: string;
}

let server: TestServer;
let ann: TestUser;
let devices: Device[];
beforeAll(async () => {
  server = await createTestServer({ rateLimit: 1 });
  ann = await server.signUp('ann');
  const client = createServiceClient('ann', (asked) => server.request('direct', ann, asked));
  const made: Resource[] = [];
  // Fewer at once than a user may.
  while (made.length < 300) made.push(...(await Promise.all(Array.from({ length: 100 }, () => client.device()))));
  const body = { resource_ids: made.map(({ id }) => id) };
  const answer = await server.request('gateway', ann, { method: 'POST', path: '/devices/keys', body });
  const { items } = (await answer.json()) as CreatedDeviceKeys;
  devices = items.map(({ device, key }) => ({ id: device.id, key }));
  expect(devices).toHaveLength(300);
});
afterAll(() => server[Symbol.asyncDispose]());

async function statusByHttp(app: App, { id, key }: Device): Promise<number> {
  const request = new Request(`${origin}/service/resources/${id}`, { headers: { 'x-serviceapikey': key } });
  return (await app.fetch(request)).status;
}

/** The reason code of CONNACK. */
async function codeByMqtt(port: number, { id, key }: Device): Promise<number> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  const reader = parser({ protocolVersion: 5 });
  const answered = new Promise<Packet>((resolve) => reader.once('packet', resolve));
  socket.on('data', (part) => reader.parse(part));
  const hello = { cmd: 'connect', clientId: 'any', protocolId: 'MQTT', protocolVersion: 5, clean: true, keepalive: 60 };
  socket.write(generate({ ...hello, username: id, password: Buffer.from(key) } as Packet, { protocolVersion: 5 }));
  await once(socket, 'connect');
  const answer = await Promise.race([answered, once(socket, 'close')]);
  socket.destroy();
  return 'cmd' in answer && answer.cmd === 'connack' ? answer.reasonCode! : -1;
}

const strangers = () => Array.from({ length: 300 }, (_, n) => ({ id: devices[n]!.id, key: newKey() }));
const badCredentials = 0x86;
const quotaExceeded = 0x97;

test.each(['HTTP', 'MQTT'])('by %s, all with right keys get in, and the stranger does not', async (way) => {
  await using app = await server.restart();
  const port = await app.mqtt.listen({ host: '127.0.0.1', port: 0 });
  const connect = (device: Device) => (way === 'HTTP' ? statusByHttp(app, device) : codeByMqtt(port, device));
  // The stranger is there first, with the ids of the devices.
  const before = strangers().map(connect);
  const both = strangers().map((stranger, n) => [connect(stranger), connect(devices[n]!)] as const);
  const right = await Promise.all(both.map(([, device]) => device));
  const wrong = await Promise.all([...before, ...both.map(([stranger]) => stranger)]);
  expect(new Set(right)).toEqual(new Set([way === 'HTTP' ? 200 : 0]));
  expect(new Set(wrong)).toEqual(new Set(way === 'HTTP' ? [401, 429] : [badCredentials, quotaExceeded]));
});

test('a key that was right is read again after its user was enabled, also with a wrong device in between', async () => {
  await using app = await server.restart();
  const [one, other] = [devices[0]!, devices[1]!];
  const report = (device: string) => {
    const authorization = `Basic ${Buffer.from(`${device}:${one.key}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ _type: 'location', lat: 54, lon: 8, tst: Math.floor(server.now().getTime() / 1000) });
    return app.fetch(new Request(`${origin}/service/owntracks`, { method: 'POST', headers, body }));
  };
  expect((await report(other.id)).status).toBe(401);
  await app.operator.disableUser({ name: 'ann' });
  expect(await statusByHttp(app, one)).toBe(401);
  expect(await statusByHttp(app, one)).toBe(401);
  await app.operator.enableUser({ name: 'ann' });
  expect(await statusByHttp(app, one)).toBe(200);
  expect((await report(one.id)).status).toBe(200);
});
