// stores: SQLite, PostgreSQL in the long run
/** Devices that connect at once after a restart, while a stranger sends wrong keys from their address. */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { generate, parser, type Packet } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { connectAll, makeDevicesWithKeys, type KnownDevice } from '../../tests/reconnect.fixture.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';
import { openMqtt, withMqtt } from './mqtt.fixture.ts';

/** The reason code of CONNACK. */
async function codeByMqtt(port: number, { id, key }: KnownDevice): Promise<number> {
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

const badCredentials = 0x86;
const quotaExceeded = 0x97;

test('all with right keys get in, and the stranger does not', async () => {
  await using server = await createTestServer({ ...withMqtt, rateLimit: 1 });
  const devices = await makeDevicesWithKeys(server, await server.signUp('ann'));
  await using app = await server.restart();
  const port = await openMqtt(app);
  const { right, wrong } = await connectAll(devices, (device) => codeByMqtt(port, device));
  expect(right).toEqual(new Set([0]));
  expect(wrong).toEqual(new Set([badCredentials, quotaExceeded]));
});
