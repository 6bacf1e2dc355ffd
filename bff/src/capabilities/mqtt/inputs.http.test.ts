/** Small messages as other programs make them, and what must come of each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message, Resource } from '../../contract.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import { connectMqtt, openMqtt, withMqtt } from './mqtt.fixture.ts';

const folder = join(import.meta.dirname, '../../../../e2e/data/inputs/mqtt');
const input = (name: string) => readFileSync(join(folder, name));

let server: TestServer;
let ann: ServiceClient;
let port: number;
beforeAll(async () => {
  server = await createTestServer(withMqtt);
  ann = await signUpClient(server, 'ann');
  port = await openMqtt(server.app);
});
afterAll(() => server[Symbol.asyncDispose]());

async function producer() {
  const device = await ann.device();
  await ann.add(await ann.swarm(), device, 'producer');
  const { key } = await server.app.operator.createDeviceKey({ device: device.id, name: 'k' });
  return { id: device.id, key };
}

async function publish({ id, key }: { id: string; key: string }, topic: string, payload: Buffer) {
  const client = await connectMqtt({ port, username: id, password: key });
  await client.publishAsync(topic, payload, { qos: 1 });
  await client.endAsync();
}

test('json-nul.bin is JSON', async () => {
  const one = await producer();
  await publish(one, 'messages', input('json-nul.bin'));
  const [sent] = await ann.get<Message[]>(`/resources/${one.id}/messages/sent`);
  expect(sent).toMatchObject({ payload: { level: 4 } });
  expect(sent).not.toHaveProperty('encoding');
});

test('position-accuracy.json is a position with its accuracy', async () => {
  const one = await producer();
  await publish(one, 'position', input('position-accuracy.json'));
  expect(await ann.get<Resource>(`/resources/${one.id}`)).toMatchObject({
    position: { longitude: 8.5, latitude: 47.25 },
    accuracy: 12,
  });
});

test('every input has its test', () => {
  expect(readdirSync(folder).toSorted()).toEqual(['json-nul.bin', 'position-accuracy.json']);
});
