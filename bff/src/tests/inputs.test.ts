/** Small files and messages as other programs make them, and what must come of each. GeoJSON is read by the app. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message, Resource } from '../contract.ts';
import { readDevices, type DeviceRecord } from '../capabilities/device-files/device-import.ts';
import { connectMqtt } from './mqtt-client.fixture.ts';
import { signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer } from './test-server.fixture.ts';

const folder = join(import.meta.dirname, '../../../e2e/data/inputs');
const input = (name: string) => readFileSync(join(folder, name));

let server: TestServer;
let ann: ServiceClient;
let port: number;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann');
  port = await server.app.mqtt.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server[Symbol.asyncDispose]());

const pier = { name: 'Pier', machine_type: 'bug', position: { longitude: 8.5, latitude: 47.3 } };
const quay = { name: 'Quay', machine_type: 'bug', position: { longitude: 8.6, latitude: 47.4 } };

/** The rows of each file, and the columns that are left out and named. */
const files: Record<string, { rows: object[]; leftOut?: string[] }> = {
  // Empty cells beyond the names do not count.
  'csv/trailing-rows.csv': { rows: [pier, quay] },
  // The separator is the one that makes the following rows equally long, although another is more frequent in the names.
  'csv/commas-in-header.csv': {
    rows: [pier],
    leftOut: ['description (short, long, none, free, as you like, optional)'],
  },
  // Spaces before a quotation mark do not count.
  'csv/space-quote.csv': { rows: [pier] },
  // Degrees, minutes, seconds and hemispheres.
  'csv/dms.csv': {
    rows: [{ ...pier, position: { longitude: expect.closeTo(8.549194, 5), latitude: expect.closeTo(47.376889, 5) } }],
  },
  // A column without a single id of this service is not an id of a device.
  'csv/foreign-id.csv': { rows: [pier, quay], leftOut: ['ID'] },
  // Both coordinates in one cell.
  'csv/position.csv': { rows: [pier, quay] },
  // A location that is a room is no position.
  'csv/room-location.csv': {
    rows: [
      { name: 'Pier', machine_type: 'bug' },
      { name: 'Quay', machine_type: 'bug' },
    ],
    leftOut: ['Location'],
  },
  'csv/more-columns.csv': { rows: [pier], leftOut: ['altitude'] },
};

test.each(Object.entries(files))('%s is read as it is meant', async (name, { rows, leftOut = [] }) => {
  const records: DeviceRecord[] = [];
  const found: string[] = [];
  const source = (async function* () {
    yield input(name);
  })();
  for await (const record of readDevices(source, { onLeftOut: (names) => found.push(...names) })) records.push(record);
  expect(records.map((record) => ('row' in record ? record.row : record.errors))).toEqual(rows);
  expect(found).toEqual(leftOut);
});

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

test('mqtt/json-nul.bin is JSON', async () => {
  const one = await producer();
  await publish(one, 'messages', input('mqtt/json-nul.bin'));
  const [sent] = await ann.get<Message[]>(`/resources/${one.id}/messages/sent`);
  expect(sent).toMatchObject({ payload: { level: 4 } });
  expect(sent).not.toHaveProperty('encoding');
});

test('mqtt/position-accuracy.json is a position with its accuracy', async () => {
  const one = await producer();
  await publish(one, 'position', input('mqtt/position-accuracy.json'));
  expect(await ann.get<Resource>(`/resources/${one.id}`)).toMatchObject({
    position: { longitude: 8.5, latitude: 47.25 },
    accuracy: 12,
  });
});

test('owntracks/control-in-ssid.json is a position: what is not used is not checked', async () => {
  const { id, key } = await producer();
  const body = input('owntracks/control-in-ssid.json').toString();
  const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const answer = await server.fetch('/service/owntracks', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect((await ann.get<Resource>(`/resources/${id}`)).position).toEqual({ longitude: 10, latitude: 13.5 });
});

test('every input has its test', () => {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.geojson'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const others = ['mqtt/json-nul.bin', 'mqtt/position-accuracy.json', 'owntracks/control-in-ssid.json'];
  expect(names.toSorted()).toEqual([...Object.keys(files), ...others].toSorted());
});
