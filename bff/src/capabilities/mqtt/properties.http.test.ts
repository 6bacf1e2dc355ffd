// stores: SQLite, PostgreSQL in the long run
/** The properties of a message that version 5 of MQTT knows, through every door. */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import mqtt, { type IClientOptions, type IClientPublishOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import { generate, parser, type Packet } from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message, MessagePage, MessageProperties, Resource, Swarm } from '../../contract.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import { openMqtt, withMqtt } from './mqtt.fixture.ts';

let server: TestServer;
let port: number;
let ann: ServiceClient;
let swarm: Swarm;
let sender: Device;
let consumer: Device;
const clients: MqttClient[] = [];
beforeAll(async () => {
  server = await createTestServer(withMqtt);
  port = await openMqtt(server.app);
  ann = await signUpClient(server, 'ann');
});
beforeEach(async () => {
  swarm = await ann.swarm();
  [sender, consumer] = [await newDevice('producer'), await newDevice('consumer')];
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.endAsync(true))));
afterAll(() => server[Symbol.asyncDispose]());

interface Device extends Resource {
  key: string;
}

async function newDevice(role: 'producer' | 'consumer'): Promise<Device> {
  const device = await ann.device();
  await ann.add(swarm, device, role);
  return { ...device, key: (await server.app.operator.createDeviceKey({ device: device.id, name: 'k' })).key };
}

async function connect({ id, key }: Device, more: IClientOptions = {}): Promise<MqttClient> {
  const options = { protocolVersion: 5, username: id, password: key, reconnectPeriod: 0, ...more } as const;
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, options);
  clients.push(client);
  return client;
}

/** What a client receives. */
async function listen(device: Device, { version = 5, since }: { version?: 4 | 5; since?: string | undefined } = {}) {
  const client = await connect(device, { protocolVersion: version });
  const received: { payload: string; properties: IPublishPacket['properties'] }[] = [];
  client.on('message', (_, payload, { properties }) => received.push({ payload: payload.toString(), properties }));
  await client.subscribeAsync(
    'messages/#',
    since === undefined ? { qos: 0 } : { qos: 0, properties: { userProperties: { since } } },
  );
  return received;
}

type Properties = NonNullable<IClientPublishOptions['properties']>;
const publish = async (payload: string | Buffer, properties: Properties) =>
  (await connect(sender)).publishAsync('messages', payload, { qos: 1, properties });
const post = (body: unknown) => ann.request({ method: 'POST', path: `/resources/${sender.id}/messages`, body });
const received = (since: string) => ann.get<Message[]>(`/resources/${consumer.id}/messages?since=${since}`);
const listed = async (query = '') => (await ann.get<MessagePage>(`/swarms/${swarm.id}/messages${query}`)).items;
const exported = async (format: string) => {
  const response = await ann.request({ method: 'GET', path: `/swarms/${swarm.id}/messages/export?format=${format}` });
  return response.text();
};

const asSent: Properties = {
  contentType: 'application/json',
  responseTopic: 'messages/a/b',
  correlationData: Buffer.from([1, 0, 255]),
  userProperties: { unit: '°C', tag: ['a', 'b'] },
};
const asStored: MessageProperties = {
  content_type: 'application/json',
  response_topic: 'messages/a/b',
  correlation_data: 'AQD/',
  user_properties: { unit: '°C', tag: ['a', 'b'] },
};

test('what version 5 knows of a message comes out of every door', async () => {
  const [current, old] = [await listen(consumer), await listen(await newDevice('consumer'), { version: 4 })];
  await post({ payload: 1 });
  const [{ id: before }] = (await listed()) as [Message];
  await publish('2', asSent);
  await post({ payload: 3, properties: asStored });

  await expect.poll(() => current).toHaveLength(3);
  expect(current[0]!.properties).toEqual({ payloadFormatIndicator: true, userProperties: { id: before } });
  for (const { properties } of current.slice(1)) {
    const userProperties = { id: expect.any(String) as string, ...asSent.userProperties };
    expect(properties).toEqual({ payloadFormatIndicator: true, ...asSent, userProperties });
  }
  await expect.poll(() => old).toHaveLength(3);
  expect(old.map(({ payload }) => payload)).toEqual(['1', '2', '3']);

  const lines = (await exported('ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
  const sent = await ann.get<Message[]>(`/resources/${sender.id}/messages/sent`);
  for (const messages of [await received(before), lines.slice(1), (await listed()).slice(0, 2), sent.slice(0, 2)])
    expect(messages.map(({ properties }) => properties)).toEqual([asStored, asStored]);
  expect(lines[0]).not.toHaveProperty('properties');
  const [head, first, second] = (await exported('csv')).split('\r\n');
  expect(head).toMatch(/,encoding,properties$/);
  expect(first).toMatch(/,,$/);
  expect(second).toContain('""content_type"":""application/json""');
});

test('a search finds a word in properties', async () => {
  await post({ payload: 'mild' });
  await post({ payload: 'warm', properties: { user_properties: { unit: 'Kelvin' } } });
  expect((await listed('?q=kelvin')).map(({ payload }) => payload)).toEqual(['warm']);
  expect((await listed('?q=kelvin%20mild')).map(({ payload }) => payload)).toEqual([]);
});

test('a message is delivered with the rest of its time, and not after it, but stays in lists', async () => {
  await post({ payload: 'before' });
  const [{ id: since }] = (await listed()) as [Message];
  const live = await listen(consumer);
  await publish('"short"', { messageExpiryInterval: 60 });
  await post({ payload: 'long', properties: { message_expiry_interval: 600 } });
  await post({ payload: 'always' });
  await expect.poll(() => live).toHaveLength(3);
  expect(live.map(({ properties }) => properties?.messageExpiryInterval)).toEqual([60, 600, undefined]);

  server.wait(20_000);
  const early = await listen(await newDevice('consumer'), { since });
  await expect.poll(() => early).toHaveLength(3);
  const [first, second] = early.map(({ properties }) => properties!.messageExpiryInterval!);
  // The clock goes on.
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(40);
  expect(second).toBeLessThanOrEqual(580);
  server.wait(41_000);
  for (const version of [4, 5] as const) {
    const late = await listen(await newDevice('consumer'), { since, version });
    await post({ payload: `to ${version}` });
    if (version === 5)
      await expect.poll(() => late.map(({ payload }) => payload)).toEqual(['"long"', '"always"', '"to 4"', '"to 5"']);
    else await expect.poll(() => late.map(({ payload }) => payload)).toEqual(['"to 4"']);
  }
  expect((await received(since)).map(({ payload }) => payload)).toEqual(['long', 'always', 'to 4', 'to 5']);
  const short = (await listed(`?since=${since}`)).find(({ payload }) => payload === 'short');
  expect(short!.properties).toEqual({ message_expiry_interval: 60 });
});

test('one that has expired is not missing, and ends no wait', async () => {
  await post({ payload: 1 });
  const [{ id: since }] = (await listed()) as [Message];
  await publish('2', { messageExpiryInterval: 0 });
  const waiting = ann.get<Message[]>(`/resources/${consumer.id}/messages?since=${since}&wait=60`);
  await post({ payload: 3 });
  expect((await waiting).map(({ payload }) => payload)).toEqual([3]);
  const late = await listen(consumer, { since });
  await expect.poll(() => late).toHaveLength(1);
  expect(late[0]!.properties!.userProperties).not.toHaveProperty('missing-after');
});

test('names that the server gives are left out of what programs pass on, and refused over HTTP', async () => {
  const live = await listen(consumer);
  await publish('1', { userProperties: { id: 'm-1', 'missing-after': 'm-2', hop: '1' } });
  await publish('2', { userProperties: { id: 'm-1' } });
  await expect.poll(() => live).toHaveLength(2);
  expect(live.map(({ properties }) => properties!.userProperties)).toEqual([
    { id: expect.any(String), hop: '1' },
    { id: expect.any(String) },
  ]);
  expect((await listed()).map(({ properties }) => properties)).toEqual([undefined, { user_properties: { hop: '1' } }]);
  const refused = await post({ payload: 1, properties: { user_properties: { id: 'm-1' } } });
  expect(await refused.json()).toMatchObject({ status: 400, errors: [{ pointer: '/properties/user_properties/id' }] });
});

test('what a user sends in the app has the name of the user, and what a program sends with a key does not', async () => {
  const inApp = await signUpClient(server, 'beth', 'gateway');
  const [harbour, buoy] = [await inApp.swarm(), await inApp.device()];
  await inApp.add(harbour, buoy, 'both');
  const { key } = await server.app.operator.createDeviceKey({ device: buoy.id, name: 'k' });
  const other = await inApp.device();
  await inApp.add(harbour, other, 'consumer');
  const receiver = await server.app.operator.createDeviceKey({ device: other.id, name: 'k' });
  const live = await listen({ ...other, key: receiver.key });
  const path = `/resources/${buoy.id}/messages`;
  const properties = { content_type: 'text/plain', user_properties: { unit: 'cm' } };
  await inApp.make(path, { payload: 1, properties });
  await (await connect({ ...buoy, key })).publishAsync('messages', '2', { qos: 1 });
  const sentBy = { 'sent-by-user': 'beth' };
  const { items } = await inApp.get<MessagePage>(`/swarms/${harbour.id}/messages`);
  expect(items.map((message) => message.properties)).toEqual([
    undefined,
    { ...properties, user_properties: { unit: 'cm', ...sentBy } },
  ]);
  await expect.poll(() => live).toHaveLength(2);
  expect(live.map((message) => message.properties!.userProperties)).toEqual([
    { id: expect.any(String), unit: 'cm', ...sentBy },
    { id: expect.any(String) },
  ]);
  const faked = { payload: 1, properties: { user_properties: sentBy } };
  const refused = await inApp.request({ method: 'POST', path, body: faked });
  expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/properties/user_properties/sent-by-user' }] });
  // What is no object is refused as it is for a device.
  for (const wrong of [null, 5, 'text', [], { user_properties: null }, { user_properties: 'x'.repeat(16_000) }]) {
    const answer = await inApp.request({ method: 'POST', path, body: { payload: 1, properties: wrong } });
    expect([answer.status, (await answer.json()) as object]).toMatchObject([400, { code: 'body.invalid' }]);
  }
});

test('the payload format is told as it is, and one that a sender tells wrongly is refused', async () => {
  const live = await listen(consumer);
  await publish('{"a":1}', {});
  await publish('ON', {});
  await publish(Buffer.from([0x1b, 0x5b]), { payloadFormatIndicator: true });
  await publish(Buffer.from([0xff]), { payloadFormatIndicator: false });
  await expect
    .poll(() => live.map(({ properties }) => properties!.payloadFormatIndicator))
    .toEqual([true, true, true, undefined]);
  await expect(publish(Buffer.from([0xff]), { payloadFormatIndicator: true })).rejects.toMatchObject({ code: 0x99 });
});

test('a will has its properties', async () => {
  const client = await connect(sender, {
    will: {
      topic: 'messages',
      payload: Buffer.from('"lost"'),
      qos: 1,
      retain: false,
      properties: { ...asSent, messageExpiryInterval: 60 },
    },
  });
  client.stream.destroy();
  await expect
    .poll(() => listed())
    .toMatchObject([{ payload: 'lost', properties: { ...asStored, message_expiry_interval: 60 } }]);
});

test('properties count for the size of a message and for the bytes of its user', async () => {
  const usage = async () => {
    const sql = `SELECT amount FROM usage WHERE kind = 'message_bytes' AND user_id = 'ann'`;
    return (await server.db.read<{ amount: number }>({ sql }))[0]!.amount;
  };
  await post({ payload: 1 });
  const before = await usage();
  const properties = { user_properties: { text: 'é'.repeat(1000) } };
  await post({ payload: 1, properties });
  expect((await usage()) - before).toBe(messageLimits.rowBytes + 1 + Buffer.byteLength(JSON.stringify(properties)));
  const rest = messageLimits.payloadBytes - Buffer.byteLength(JSON.stringify(properties)) - 2;
  expect((await post({ payload: 'a'.repeat(rest), properties })).status).toBe(201);
  const refused = await post({ payload: 'a'.repeat(rest + 1), properties });
  expect(await refused.json()).toMatchObject({ status: 400, errors: [{ pointer: '/payload' }] });
  await expect(publish('a'.repeat(16_000), { userProperties: { text: 'b'.repeat(400) } })).rejects.toMatchObject({
    code: 0x99,
  });
});

testOnSqlite.each([
  ['an unknown field', { topic: 'a' }, ''],
  ['a wildcard', { response_topic: 'a/#' }, '/response_topic'],
  ['no topic', { response_topic: '' }, '/response_topic'],
  ['bytes that are not base64', { correlation_data: '_' }, '/correlation_data'],
  ['half a second', { message_expiry_interval: 0.5 }, '/message_expiry_interval'],
  ['too many seconds', { message_expiry_interval: 2 ** 32 }, '/message_expiry_interval'],
  ['a number as a value', { user_properties: { a: 1 } }, '/user_properties/a'],
  ['a list', [], ''],
  ['a control character', { content_type: 'a\u0001' }, '/content_type'],
  ['a control character in a name', { user_properties: { 'a\u0000': 'b' } }, '/user_properties'],
  ['half of a character in a name', { user_properties: { '\ud800': 'b' } }, '/user_properties'],
  ['U+FFFD, which MQTT takes for damage', { user_properties: { a: ['b', '\ufffd'] } }, '/user_properties/a'],
  [
    'a long name with many values',
    { user_properties: { ['a'.repeat(8000)]: Array.from({ length: 2000 }, () => '') } },
    '/user_properties',
  ],
])('over HTTP, %s in properties is refused', async (_, properties, pointer) => {
  const refused = await post({ payload: 1, properties });
  const { errors } = (await refused.json()) as { errors: { pointer: string }[] };
  expect(refused.status).toBe(400);
  expect(errors.map((error) => error.pointer)).toEqual([expect.stringContaining(`/properties${pointer}`)]);
});

/** PUBLISH of quality 0 to `messages` with these bytes as its properties. */
function publication(...properties: number[]): Buffer {
  const rest = [0, 8, ...Buffer.from('messages'), properties.length, ...properties, 0x31];
  return Buffer.from([0x30, rest.length, ...rest]);
}

testOnSqlite.each([
  ['a response topic with a wildcard', publication(0x08, 0, 1, 0x23), 0x81],
  ['no response topic', publication(0x08, 0, 0), 0x81],
  ['a content type that is no UTF-8', publication(0x03, 0, 1, 0xff), 0x81],
  ['a content type that is cut', publication(0x03, 0, 9, 0x61), 0x81],
  ['U+0000 in a property of the user', publication(0x26, 0, 1, 0x61, 0, 1, 0), 0x81],
  ['an expiry that is cut', publication(0x02, 0, 0), 0x81],
  ['a payload format that is cut', publication(0x01), 0x81],
  ['a payload format of 2', publication(0x01, 2), 0x82],
  ['an expiry that goes on in the payload', publication(0x02, 0, 0, 0), 0x81],
  ['no length of properties', Buffer.from([0x30, 10, 0, 8, ...Buffer.from('messages')]), 0x81],
  ['a DISCONNECT whose properties are cut', Buffer.from([0xe0, 3, 0, 5, 0x11]), 0x81],
  ['a content type twice', publication(0x03, 0, 1, 0x61, 0x03, 0, 1, 0x62), 0x82],
])('%s ends the connection', async (_, bytes, code) => {
  const socket = createConnection({ port, host: '127.0.0.1' });
  const answers: Packet[] = [];
  const reader = parser({ protocolVersion: 5 });
  reader.on('packet', (packet) => answers.push(packet));
  socket.on('data', (part) => reader.parse(part));
  const { id, key } = sender;
  const hello = {
    cmd: 'connect',
    clientId: '',
    protocolId: 'MQTT',
    protocolVersion: 5,
    clean: true,
    keepalive: 60,
  } as const;
  socket.write(generate({ ...hello, username: id, password: Buffer.from(key) }, { protocolVersion: 5 }));
  socket.write(bytes);
  await once(socket, 'close');
  expect(answers).toMatchObject([
    { cmd: 'connack', reasonCode: 0 },
    { cmd: 'disconnect', reasonCode: code },
  ]);
  expect(await listed()).toEqual([]);
});
