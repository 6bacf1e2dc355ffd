/** Runs the code for MQTT that the page of a device shows for its key, exactly as it is printed. */
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectReceives,
  expectSends,
  snippets,
  startForSnippets,
  type SnippetServer,
} from '../../tests/snippets.fixture.ts';
import { withMqtt } from './mqtt.fixture.ts';

let server: SnippetServer;
beforeAll(async () => {
  server = await startForSnippets({ ...withMqtt, replacements: join(import.meta.dirname, 'bin') });
});
afterAll(() => server[Symbol.asyncDispose]());

test('the code sends a message', () => expectSends(server, 'mqtt'));

test('the code receives messages', () => expectReceives(server, 'mqtt'));

test('the code for MQTT that receives connects again after the server has stopped', async () => {
  const [device, other] = [await server.connect('consumer'), await server.connect('producer')];
  await using proxy = await startMqttProxy(device.mqtt!);
  await using program = server.start('mqtt', snippets.receive.mqtt({ ...device, mqtt: proxy.url }));
  const heard = async (level: string) => {
    await server.send(other, { level });
    return program.said();
  };
  await expect.poll(() => heard('before'), { interval: 200 }).toContain('before');
  proxy.stopServer();
  await expect.poll(() => heard('after'), { interval: 200 }).toContain('after');
});

/** A proxy in front of the server, which can end the connections as a server that stops: it tells clients of version 5. */
async function startMqttProxy(target: string) {
  const { hostname, port } = new URL(target);
  const ends = new Set<() => void>();
  const proxy = createServer((client) => {
    const server = createConnection(Number(port), hostname);
    client.on('error', () => {}).pipe(server);
    server.on('error', () => {}).pipe(client);
    let version = 0;
    client.once('data', (packet: Buffer) => (version = packet[packet.indexOf('MQTT') + 4]!));
    ends.add(() => {
      server.unpipe(client).destroy();
      client.end(version === 5 ? Buffer.from([0xe0, 2, 0x8b, 0]) : '');
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const stopServer = () => {
    for (const end of ends) end();
    ends.clear();
  };
  return {
    url: `mqtt://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stopServer,
    async [Symbol.asyncDispose]() {
      stopServer();
      proxy.close();
    },
  };
}

test('the code for MQTT has the address of a proxy with TLS', () => {
  const code = (mqtt: string) => snippets.send.mqtt({ origin: 'https://example.org', id: 'id', key: 'swb_key', mqtt });
  expect(code('mqtts://devices.example.org')).toContain('-h devices.example.org -p 8883 --tls-use-os-certs -u id');
  expect(code('mqtt://[::1]')).toContain('-h ::1 -p 1883 -u id');
});
