// stores: SQLite, PostgreSQL in the long run
/** The payload of a message, as it goes in and comes out by every door: as the text, or the bytes, that were sent. */
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CreatedApiKey, Message, Resource, Swarm } from '../../contract.ts';
import { limits, messageLimits } from '../../core/limits/field-rules.ts';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { withMqtt } from './mqtt.fixture.ts';

let server: HttpTestServer;
let ann: TestUser;
let swarm: Swarm;
let sender: Device;
let consumer: Device;
let mqttUrl: string;
const ends: (() => Promise<unknown> | void)[] = [];
beforeAll(async () => {
  server = await startHttpServer(withMqtt);
  ann = await join(server.url, 'ann');
  swarm = await ann.request<Swarm>('POST', '/swarms', { name: 'River levels', description: '' });
  [sender, consumer] = [await newDevice('producer'), await newDevice('consumer')];
  const keys = await ann.browser.send('GET', `/api/devices/${sender.id}/keys`);
  mqttUrl = ((await keys.json()) as { mqtt: string }).mqtt.replace(/\/\/[^:]+/, '//127.0.0.1');
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Device {
  id: string;
  key: string;
}

async function newDevice(resource_type: 'producer' | 'consumer'): Promise<Device> {
  const { id } = await ann.request<Resource>('POST', '/resources', { name: 'Gauge', machine_type: 'bug' });
  const made = await ann.browser.send('POST', `/api/devices/${id}/keys`, { name: 'k' });
  await ann.request('POST', `/swarms/${swarm.id}/resources`, { resource_id: id, resource_type });
  return { id, key: ((await made.json()) as CreatedApiKey).key };
}

const ask = ({ id, key }: Device, init: RequestInit = {}, query = '') =>
  fetch(`${server.url}/service/resources/${id}/messages${query}`, {
    ...init,
    headers: { 'x-serviceapikey': key, 'content-type': 'application/json', ...init.headers },
  });
const post = (body: string) => ask(sender, { method: 'POST', body });

async function connect({ id, key }: Device, protocolVersion: 4 | 5): Promise<MqttClient> {
  const client = await mqtt.connectAsync(mqttUrl, { protocolVersion, username: id, password: key, reconnectPeriod: 0 });
  ends.push(() => client.endAsync(true));
  return client;
}

/** What a client receives, as bytes. */
async function listen(device: Device, version: 4 | 5) {
  const client = await connect(device, version);
  const received: { payload: Buffer; packet: IPublishPacket }[] = [];
  client.on('message', (_, payload, packet) => received.push({ payload, packet }));
  await client.subscribeAsync('messages/#');
  return received;
}

/** What a stream has sent. */
async function open(answer: Response): Promise<() => string> {
  const reader = answer.body!.getReader();
  ends.push(() => reader.cancel().catch(() => {}));
  let text = '';
  void (async () => {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
    }
  })().catch(() => {});
  return () => text;
}
const stream = async (accept: string) => open(await ask(consumer, { headers: { accept } }));

/** As tools print it, with line breaks of every kind, and numbers that a program would change. */
const pretty =
  '{\r\n\r\n  "eui" : 2882429806056571124,\n\n\t"level": 1.0,\r "exact" :-0.10e+2,\n' +
  '  "text": "a  b\\r\\n\\n c \\" : , \\\\",\r\n "none": { }, "list": [ 1 , 2.50,\n[ ]\r\n] \r\n\r\n}\r\n';
const compact =
  '{"eui":2882429806056571124,"level":1.0,"exact":-0.10e+2,"text":"a  b\\r\\n\\n c \\" : , \\\\","none":{},"list":[1,2.50,[]]}';

const doors = {
  HTTP: async () => {
    const answer = await post(`\r\n{\n "payload" :\r\n${pretty},\n\n"swarm_id": "${swarm.id}"\r\n}\n\n`);
    expect(answer.status, await answer.text()).toBe(201);
  },
  'MQTT 3.1.1': async () => void (await (await connect(sender, 4)).publishAsync('messages', pretty, { qos: 1 })),
  'MQTT 5': async () => void (await (await connect(sender, 5)).publishAsync('messages', `${pretty}\0`, { qos: 1 })),
};

test.each(Object.entries(doors))('JSON that is sent by %s comes out of every door as its text', async (_, send) => {
  const before = (await ask(consumer)).headers.get('last-event-id')!;
  const [events, lines] = [await stream('text/event-stream'), await stream('application/x-ndjson')];
  const api = `/api/resources/${consumer.id}/messages`;
  const browser = { headers: { cookie: ann.browser.cookie, accept: 'text/event-stream' } };
  const ofBrowser = await open(await fetch(`${server.url}${api}`, browser));
  const watched = await open(await fetch(`${server.url}/api/events?watch=messages:${swarm.id}`, browser));
  // A device has four streams.
  const other = await newDevice('consumer');
  const [old, current] = [await listen(other, 4), await listen(other, 5)];
  await expect.poll(() => [events(), ofBrowser()].every((text) => text.includes('id: '))).toBe(true);
  // With its first event, the browser reads the list of the swarm; what is sent after it is in events.
  await expect.poll(watched).toContain('"items":[]');
  await send();
  const field = `"payload":${compact}`;
  await expect.poll(events).toContain(`${field}}\n\n`);
  await expect.poll(lines).toContain(`${field}}\n`);
  await expect.poll(ofBrowser).toContain(`${field}}\n\n`);
  await expect.poll(watched).toContain(field);
  // Each message is one line of each stream.
  expect(
    lines()
      .split('\n')
      .filter((line) => line !== ''),
  ).toHaveLength(1);
  expect(
    events()
      .split('\n')
      .filter((line) => line.startsWith('data: ')),
  ).toHaveLength(1);
  for (const received of [old, current]) {
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]!.payload.toString()).toBe(compact);
  }
  const key = { headers: { 'x-serviceapikey': consumer.key } };
  const paths = [
    `/service/resources/${consumer.id}/messages?since=${before}`,
    `${api}?since=${before}`,
    `/service/swarms/${swarm.id}/messages?limit=1`,
    `/service/resources/${sender.id}/messages/sent?limit=1`,
    `/service/swarms/${swarm.id}/messages/export?format=ndjson`,
  ];
  for (const path of paths) {
    const ofUser = { headers: { cookie: ann.browser.cookie } };
    const isOfDevice = path === paths[0];
    const url = isOfDevice ? path : path.replace('/service', '/api');
    const text = await (await fetch(`${server.url}${url}`, isOfDevice ? key : ofUser)).text();
    expect(text).toContain(`${field}}`);
  }
});

const bytes = (...values: number[]) => Buffer.from(values);
/** What is no JSON of this server, and how it is shown to who receives by HTTP. */
const others: [string, Buffer, Pick<Message, 'encoding' | 'payload'>][] = [
  ['a word', Buffer.from('ON'), { encoding: 'text', payload: 'ON' }],
  ['text with quotes and lines', Buffer.from('say "hi"\r\n\n\\ü'), { encoding: 'text', payload: 'say "hi"\r\n\n\\ü' }],
  ['nothing', bytes(), { encoding: 'text', payload: '' }],
  ['a field twice', Buffer.from('{"a":1,"a":2}'), { encoding: 'text', payload: '{"a":1,"a":2}' }],
  ['what would be two fields', Buffer.from('1,"to":"x"'), { encoding: 'text', payload: '1,"to":"x"' }],
  ['a number beyond all', Buffer.from('1e999'), { encoding: 'text', payload: '1e999' }],
  [
    'JSON that is too deep',
    Buffer.from('['.repeat(limits.bodyDepth) + ']'.repeat(limits.bodyDepth)),
    { encoding: 'text', payload: '[[[[[[[[]]]]]]]]' },
  ],
  ['half an emoji', Buffer.from('"\\ud83d"'), { encoding: 'text', payload: '"\\ud83d"' }],
  ['bytes', bytes(0xff, 0, 1), { encoding: 'base64', payload: '/wAB' }],
  ['text with a control character', bytes(0x1b, 0x5b), { encoding: 'base64', payload: 'G1s=' }],
  [
    'as many bytes as are allowed',
    Buffer.alloc(messageLimits.payloadBytes, 0xfe),
    { encoding: 'base64', payload: Buffer.alloc(messageLimits.payloadBytes, 0xfe).toString('base64') },
  ],
];

test.each(others)('by MQTT, %s is sent as it is, and by HTTP with its encoding', async (_, payload, shown) => {
  const received = await listen(consumer, 5);
  const before = (await ask(consumer)).headers.get('last-event-id')!;
  await (await connect(sender, 5)).publishAsync('messages', payload, { qos: 1 });
  const [message] = (await (await ask(consumer, {}, `?wait=10&since=${before}`)).json()) as Message[];
  expect({ encoding: message!.encoding, payload: message!.payload }).toEqual(shown);
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]!.payload).toEqual(payload);
});

test.each([
  ['JSON with the end of a text in C', '{"level":4}\0', '{"level":4}'],
  ['JSON with a mark before it', '\ufeff{"level":4.0}', '{"level":4.0}'],
  ['JSON that is too large with its white space', `[${' '.repeat(messageLimits.payloadBytes)}1.0]`, '[1.0]'],
])('by MQTT, %s is JSON', async (_, payload, text) => {
  const received = await listen(consumer, 4);
  await (await connect(sender, 5)).publishAsync('messages', payload, { qos: 1 });
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]!.payload.toString()).toBe(text);
  const [message] = (await (
    await ann.browser.send('GET', `/api/resources/${sender.id}/messages/sent?limit=1`)
  ).json()) as Message[];
  expect(message!.encoding).toBeUndefined();
});

test('who sends by HTTP can send a text and bytes to who receives by MQTT', async () => {
  const received = await listen(consumer, 4);
  for (const body of [{ payload: 'ON', encoding: 'text' }, { payload: '/wAB', encoding: 'base64' }, { payload: 'ON' }])
    expect((await post(JSON.stringify(body))).status).toBe(201);
  await expect
    .poll(() => received.map(({ payload }) => payload.toString('latin1')))
    .toEqual(['ON', '\xff\0\x01', '"ON"']);
  const large = 'a'.repeat(messageLimits.payloadBytes + 1);
  for (const body of [
    { payload: 1, encoding: 'text' },
    { payload: ['a'], encoding: 'base64' },
    { payload: 'a', encoding: 'base64' },
    { payload: '_w==', encoding: 'base64' },
    { payload: large, encoding: 'text' },
    { payload: Buffer.from(large).toString('base64'), encoding: 'base64' },
  ]) {
    const refused = await post(JSON.stringify(body));
    expect(await refused.json()).toMatchObject({ status: 400, errors: [{ pointer: '/payload' }] });
  }
});

test('16 KiB are counted without the white space, by HTTP too', async () => {
  const most = `"${'ü'.repeat(messageLimits.payloadBytes / 2 - 1)}"`;
  expect((await post(`{"payload":\n\n${most} ${' '.repeat(1000)}}`)).status).toBe(201);
  expect((await post(`{"payload":${most.replace('ü', 'aü')}}`)).status).toBe(400);
});
