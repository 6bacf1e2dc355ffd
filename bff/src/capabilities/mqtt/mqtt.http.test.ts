// stores: SQLite, PostgreSQL in the long run
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import * as fc from 'fast-check';
import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import { generate, parser, type IDisconnectPacket, type IPubackPacket, type Packet } from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Message, MessagePage, Refusals, Resource, Swarm } from '../../contract.ts';
import { credentialsCheckedEveryMs } from '../../core/http/ended-credentials.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { mqttLimits } from './limits.ts';
import { testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { openStore } from '../../core/store/open.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { long } from '../../tests/process.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import { connectMqtt, connectionsOf, openMqtt, withMqtt } from './mqtt.fixture.ts';

let server: TestServer;
let port: number;
let ann: ServiceClient;
let swarm: Swarm;
const clients: MqttClient[] = [];
const sockets: Socket[] = [];
/** What the processes have announced to each other. */
const announced: string[] = [];
beforeAll(async () => {
  server = await createTestServer({ ...withMqtt, rateLimit: 1 });
  server.db.onAnnounced((line) => announced.push(line));
  port = await openMqtt(server.app);
  ann = await signUpClient(server, 'ann');
  swarm = await ann.swarm();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server[Symbol.asyncDispose]());

async function member(role: 'producer' | 'consumer' | 'both') {
  const device = await ann.device();
  await ann.add(swarm, device, role);
  const key = await server.app.operator.createDeviceKey({ device: device.id, name: 'k' });
  return { id: device.id, key: key.key, keyId: key.id };
}
type Member = Awaited<ReturnType<typeof member>>;

const optionsOf = ({ id, key }: Pick<Member, 'id' | 'key'>, version: 4 | 5): IClientOptions => ({
  protocolVersion: version,
  username: id,
  password: key,
  reconnectPeriod: 0,
});

/** `mqtt` of npm, which is not ours. */
async function connect({ id, key }: Pick<Member, 'id' | 'key'>, version: 4 | 5, more: IClientOptions = {}) {
  const options = { ...optionsOf({ id, key }, version), ...more };
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, options);
  clients.push(client);
  return client;
}
const sentBy = (id: string) => ann.get<Message[]>(`/resources/${id}/messages/sent`);

/** In seconds. */
async function heardAt({ id }: Pick<Member, 'id'>): Promise<number> {
  const sql = 'SELECT heard_at FROM presence p JOIN resources r ON r.ref = p.ref WHERE r.id = $1';
  const [row] = await server.db.read<{ heard_at: number }>({ sql, params: [id] });
  return row!.heard_at;
}

/** Another process on the same database. On SQLite, which has one, another app on the same connection. */
async function another() {
  const db = isOnPostgres ? await openStore({ url: server.db.url }) : server.db;
  const app = await server.startAnother(db);
  const ownPort = await openMqtt(app);
  return {
    port: ownPort,
    async [Symbol.asyncDispose]() {
      await app.close();
      if (db !== server.db) await db.close();
    },
  };
}

/** JSON, or another text. */
function jsonOr(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return payload.toString('latin1');
  }
}

/** What a client receives. */
function inbox(client: MqttClient) {
  const all: { topic: string; payload: unknown; id: unknown }[] = [];
  client.on('message', (topic, payload, packet: IPublishPacket) =>
    all.push({ topic, payload: jsonOr(payload), id: packet.properties?.userProperties?.['id'] }),
  );
  return all;
}

/** A connection that sends what no client would. Resolves with what was answered when it is closed. */
async function raw(bytes: (Buffer | Packet)[], version = 5) {
  const socket = createConnection({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {});
  const answers: Packet[] = [];
  const reader = parser({ protocolVersion: version });
  reader.on('packet', (packet) => answers.push(packet));
  socket.on('data', (part) => reader.parse(part));
  for (const part of bytes) socket.write(Buffer.isBuffer(part) ? part : generate(part, { protocolVersion: version }));
  await once(socket, 'close');
  return answers.map((packet): Partial<Record<string, unknown>> => ({ ...packet }));
}
/** A connection that has connected. `answers`: what came after that. */
async function open(one: Member, version: number, more: object = {}, at = port) {
  const socket = createConnection({ port: at, host: '127.0.0.1', noDelay: true });
  sockets.push(socket);
  const reader = parser({ protocolVersion: version });
  const answers: Packet[] = [];
  reader.on('packet', (packet) => answers.push(packet));
  socket.on('data', (part) => reader.parse(part));
  const send = (packet: Packet) => socket.write(generate(packet, { protocolVersion: version }));
  send(hello(one, { protocolVersion: version, ...more }));
  await expect.poll(() => answers).toHaveLength(1);
  const [answer] = answers.splice(0) as { reasonCode?: number; returnCode?: number }[];
  return { send, socket, answers, isAccepted: (answer!.reasonCode ?? answer!.returnCode) === 0 };
}
/** The wills of the test before are written when their connections have closed, and count until then. */
async function openOnceThereIsRoom(...given: Parameters<typeof open>) {
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  await expect.poll(async () => (opened = await open(...given)).isAccepted).toBe(true);
  return opened!;
}

const hello = ({ id, key }: Pick<Member, 'id' | 'key'>, more: object = {}): Packet => ({
  cmd: 'connect',
  clientId: '',
  protocolId: 'MQTT',
  protocolVersion: 5,
  clean: true,
  keepalive: 60,
  username: id,
  password: Buffer.from(key),
  ...more,
});

const publish = (more: object = {}): Packet => ({
  cmd: 'publish',
  topic: 'messages',
  payload: '1',
  qos: 1,
  messageId: 7,
  dup: false,
  retain: false,
  ...more,
});
const subscribing = (properties: object, topic = 'messages/#'): Packet => ({
  cmd: 'subscribe',
  messageId: 1,
  properties,
  subscriptions: [{ topic, qos: 0 }],
});
/** A SUBSCRIBE, also with a filter that no client would send. */
const subscription = (filter: string, messageId = 1) => ({ filter, messageId });

/** The bytes of a packet, also of one that `generate` refuses. */
function packetOf(packet: Packet | ReturnType<typeof subscription>, version: number): Buffer {
  if ('filter' in packet) {
    const filter = Buffer.from(packet.filter);
    const head = [packet.messageId >> 8, packet.messageId & 255, ...(version === 5 ? [0] : [])];
    const body = Buffer.concat([
      Buffer.from([...head, filter.length >> 8, filter.length & 255]),
      filter,
      Buffer.from([0]),
    ]);
    return Buffer.concat([Buffer.from([0x82, body.length]), body]);
  }
  const { topic, payload, qos, dup, messageId } = packet as IPublishPacket;
  const text = Buffer.from(topic);
  const id = qos === 0 ? [] : [messageId! >> 8, messageId! & 255];
  const rest = [Buffer.from([0, text.length]), text, Buffer.from([...id, ...(version === 5 ? [0] : [])])];
  const body = Buffer.concat([...rest, Buffer.from(payload)]);
  return Buffer.concat([Buffer.from([0x30 | (dup ? 8 : 0) | (qos << 1), body.length]), body]);
}

/** Both run the same statements, so the tests of the second store use one. */
const versions = isOnPostgres ? ([5] as const) : ([4, 5] as const);

describe.each(versions)('version %s', (version) => {
  test('a message is acknowledged when it is sent, and a device receives it', async () => {
    const [sender, receiver] = [await member('producer'), await member('consumer')];
    const listening = await connect(receiver, version);
    const received = inbox(listening);
    await listening.subscribeAsync('messages/#', { qos: 1 });
    const sending = await connect(sender, version);
    await sending.publishAsync('messages', '{"level":4.2}', { qos: 1 });
    expect(await sentBy(sender.id)).toMatchObject([{ payload: { level: 4.2 }, swarm_id: swarm.id }]);
    await sending.publishAsync(`messages/${swarm.id}`, 'on', { qos: 1 });
    await sending.publishAsync(`messages/${swarm.id}/${receiver.id}`, Buffer.from([0xff, 0]), { qos: 1 });
    await sending.publishAsync('messages', '5', { qos: 0 });
    const topic = `messages/${swarm.id}/${sender.id}`;
    await expect
      .poll(() => received.map((each) => [each.topic, each.payload]))
      .toEqual([{ level: 4.2 }, 'on', '\xff\0', 5].map((payload) => [topic, payload]));
  });

  test('a position is that of the record', async () => {
    const { id, key } = await member('producer');
    const client = await connect({ id, key }, version);
    await client.publishAsync('position', '{"longitude":9.9,"latitude":53.5}', { qos: 1 });
    expect((await ann.get<Resource>(`/resources/${id}`)).position).toEqual({ longitude: 9.9, latitude: 53.5 });
    const record = () => ann.get<Resource>(`/resources/${id}`);
    // What a tracker sends besides is ignored.
    const more = { latitude: 47.25, longitude: 8.5, gps_accuracy: 12, altitude: 400, source: { type: 'gps\u0000' } };
    await client.publishAsync('position', `${JSON.stringify(more)}\0`, { qos: 1 });
    expect(await record()).toMatchObject({ position: { longitude: 8.5, latitude: 47.25 }, accuracy: 12 });
    const before = new Date(server.now().getTime() - 60_000).toISOString();
    const late = { latitude: 1, longitude: 2, positioned_at: before };
    await client.publishAsync('position', JSON.stringify(late), { qos: 1 });
    expect((await record()).position).toEqual({ longitude: 8.5, latitude: 47.25 });
    // The format of OwnTracks, to its own topic too.
    const tst = Math.floor(server.now().getTime() / 1000) + 1;
    server.wait(5000);
    for (const [index, topic] of ['position', `owntracks/${id}/phone`].entries()) {
      const report = { _type: 'location', lat: 50 + index, lon: 7, tst: tst + index, acc: 3, SSID: 'caf\u0000' };
      await client.publishAsync(topic, JSON.stringify(report), { qos: 1 });
      expect(await record()).toMatchObject({ position: { longitude: 7, latitude: 50 + index }, accuracy: 3 });
    }
    await client.publishAsync('position', '{"longitude":"6.50","latitude":"51.0","accuracy":"4.0"}', { qos: 1 });
    expect(await record()).toMatchObject({ position: { longitude: 6.5, latitude: 51 }, accuracy: 4 });
    await client.publishAsync('position', 'null', { qos: 1 });
    expect(await record()).not.toHaveProperty('position');
  });

  test('a wrong key, the key of another device and that of a user are refused', async () => {
    const [one, other] = [await member('producer'), await member('producer')];
    const ofUser = (await server.app.operator.createKey({ user: 'ann', name: 'k' })).key;
    const code = (password: string) =>
      connect({ id: one.id, key: password }, version).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
    const [wrong, forbidden] = version === 5 ? [0x86, 0x87] : [4, 5];
    expect([await code('swb_wrong'), await code(''), await code(other.key), await code(ofUser)]).toEqual([
      wrong,
      wrong,
      forbidden,
      forbidden,
    ]);
  });

  testOnSqlite('a new connection of the same client ends the old one, whose place is free at once', async () => {
    const one = await member('both');
    const others = await Promise.all(Array.from({ length: 3 }, () => connect(one, version)));
    const old = await connect(one, version, { clientId: 'board' });
    const reasons: unknown[] = [];
    old.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode));
    const closed = new Promise<void>((resolve) => old.once('close', resolve));
    const next = await connect(one, version, { clientId: 'board' });
    await closed;
    expect(reasons).toEqual(version === 5 ? [0x8e] : []);
    // Ten times, as a board that reboots, without an end of the connections before.
    for (let n = 0; n < 10; n++) await connect(one, version, { clientId: 'board' });
    expect([next.connected, ...others.map(({ connected }) => connected)]).toEqual([false, true, true, true]);
    // Of another device, or without an identifier, nothing is taken over.
    const other = await member('both');
    await connect(other, version, { clientId: 'board' });
    await others[0]!.publishAsync('messages', '1', { qos: 1 });
    const taken = await connect(one, version, { clientId: 'board' });
    await taken.publishAsync('messages', '2', { qos: 1 });
  });

  testOnSqlite('a message of quality 2 is sent once within a connection, also if its client repeats it', async () => {
    const one = await member('producer');
    const client = await connect(one, version);
    for (const payload of ['1', '2', '3']) await client.publishAsync('messages', payload, { qos: 2 });
    const payloads = async () => (await sentBy(one.id)).map(({ payload }) => payload);
    expect(await payloads()).toEqual([3, 2, 1]);
    const { send, answers } = await open(one, version);
    const ok = version === 5 ? 0 : undefined;
    const seen = () => answers.map((packet) => [packet.cmd, packet.messageId, (packet as IPubackPacket).reasonCode]);
    const publication = publish({ qos: 2, payload: '4' });
    send(publication);
    await expect.poll(seen).toEqual([['pubrec', 7, ok]]);
    send({ ...publication, dup: true } as Packet);
    await expect.poll(seen).toHaveLength(2);
    send({ cmd: 'pubrel', messageId: 7 });
    send({ cmd: 'pubrel', messageId: 9 });
    await expect.poll(seen).toEqual([
      ['pubrec', 7, ok],
      ['pubrec', 7, ok],
      ['pubcomp', 7, ok],
      ['pubcomp', 9, version === 5 ? 0x92 : undefined],
    ]);
    expect(await payloads()).toEqual([4, 3, 2, 1]);
  });

  testOnSqlite(
    'a payload of more than 16 KiB is too large, however it arrives, and the connection goes on',
    async () => {
      const one = await member('producer');
      const large = generate(publish({ payload: Buffer.alloc(17 * 1024, 'a') }), { protocolVersion: version });
      const { send, socket, answers } = await open(one, version);
      socket.write(large);
      await expect.poll(() => answers).toHaveLength(1);
      for (let at = 0; at < large.length; at += 1000) {
        socket.write(large.subarray(at, at + 1000));
        await nextLoopTick();
      }
      await expect.poll(() => answers).toHaveLength(2);
      send(publish());
      await expect.poll(() => answers).toHaveLength(3);
      const refused = { reasonCode: 0x99, properties: { reasonString: 'the payload is larger than 16 KiB' } };
      const expected = [refused, refused, { reasonCode: 0 }].map((more) => ({
        cmd: 'puback',
        ...(version === 5 && more),
      }));
      expect(answers).toMatchObject(expected);
      expect(await sentBy(one.id)).toHaveLength(1);
    },
  );

  testOnSqlite.each([
    ['an identifier of 0', publish({ messageId: 0 }), 0x81],
    ['DUP at quality 0', publish({ qos: 0, dup: true }), 0x81],
    ['no topic', publish({ topic: '' }), version === 5 ? 0x82 : 0x81],
    ['a wildcard in a topic', publish({ topic: 'messages/+' }), 0x81],
    ['U+0000 in a topic', publish({ topic: 'messages\0' }), 0x81],
    ['a topic that is no UTF-8', Buffer.from([0x30, 5, 0, 2, 0xff, 0xfe, 0x31]), 0x81],
    ['`#` in the middle of a filter', subscription('a/#/b'), 0x81],
    ['`#` in a word', subscription('a#'), 0x81],
    ['a filter without characters', subscription(''), 0x81],
    ['nothing to subscribe to', version === 5 ? Buffer.from([0x82, 3, 0, 1, 0]) : Buffer.from([0x82, 2, 0, 1]), 0x82],
    [
      'nothing to unsubscribe from',
      version === 5 ? Buffer.from([0xa2, 3, 0, 1, 0]) : Buffer.from([0xa2, 2, 0, 1]),
      0x82,
    ],
    ['a subscription with an identifier of 0', subscription('messages/#', 0), 0x81],
    ['PUBREL with an identifier of 0', Buffer.from([0x62, 2, 0, 0]), 0x81],
    ['PUBREL without an identifier', Buffer.from([0x62, 0]), 0x81],
    ['PUBREL with half an identifier', Buffer.from([0x62, 1, 1]), 0x81],
    ['a publication of quality 1 without an identifier', Buffer.from([0x32, 5, 0, 3, 0x61, 0x62, 0x63]), 0x81],
  ])('%s ends the connection, and the log has no error', async (_, sent, code) => {
    const one = await member('both');
    const bytes = Buffer.isBuffer(sent) ? sent : packetOf(sent, version);
    const answers = await raw([hello(one, { protocolVersion: version }), bytes], version);
    const expected: unknown[][] = [['connack', version === 5 ? 0 : undefined]];
    if (version === 5) expected.push(['disconnect', code]);
    expect(answers.map(({ cmd, reasonCode }) => [cmd, reasonCode])).toEqual(expected);
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('a ping is a sign of life', async () => {
    const one = await member('consumer');
    const { send, answers } = await open(one, version);
    await server.app.presence.round();
    const before = await heardAt(one);
    server.wait(60_000);
    send({ cmd: 'pingreq' });
    await expect.poll(() => answers).toMatchObject([{ cmd: 'pingresp' }]);
    await server.app.presence.round();
    expect((await heardAt(one)) - before).toBeGreaterThanOrEqual(60);
  });

  testOnSqlite('only its own messages can be subscribed to', async () => {
    const client = await connect(await member('both'), version);
    for (const topic of ['#', 'messages/+', `messages/${swarm.id}/x`])
      await expect(client.subscribeAsync(topic)).rejects.toThrow(/(?:Unspecified error|Topic Filter invalid)$/i);
  });

  test('a device whose key is revoked is disconnected within a second', async () => {
    const { id, key, keyId } = await member('both');
    const client = await connect({ id, key }, version);
    const reasons: unknown[] = [];
    client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode));
    const closed = new Promise<void>((resolve) => client.once('close', resolve));
    await server.app.operator.revokeKey({ id: keyId });
    // counts times of the loop that closes it: a slow machine delays both
    let times = 0;
    const counting = setInterval(() => (times += 1), credentialsCheckedEveryMs);
    await closed;
    clearInterval(counting);
    expect(times).toBeLessThan(3);
    expect(reasons).toEqual(version === 5 ? [0x87] : []);
  });
});

test('keys of open connections are checked once at a time, however long the database takes', async () => {
  await using own = await createTestServer(withMqtt);
  const user = await signUpClient(own, 'ann');
  const device = await user.device();
  const { key } = await own.app.operator.createDeviceKey({ device: device.id, name: 'k' });
  const ownPort = await openMqtt(own.app);
  // The first connection begins the checks.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const options = { ...optionsOf({ id: device.id, key }, 5), keepalive: 0 };
  const one = await mqtt.connectAsync(`mqtt://127.0.0.1:${ownPort}`, options);
  clients.push(one);
  const { read } = own.db;
  const first = Promise.withResolvers<void>();
  let checks = 0;
  vi.spyOn(own.db, 'read').mockImplementation(async (query) => {
    if (query.sql.includes('FROM api_keys') && (checks += 1) === 1) await first.promise;
    return (await read(query)) as never;
  });
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => checks).toBe(1);
  // After these, a second check would have begun.
  for (let turn = 0; turn < 20; turn++) await nextLoopTick();
  expect(checks).toBe(1);
  first.resolve();
  const checksAfterTick = () => {
    vi.advanceTimersByTime(credentialsCheckedEveryMs);
    return checks;
  };
  await expect.poll(checksAfterTick).toBeGreaterThan(1);
  await one.endAsync(true);
});

/** A server of its own with a producer, on which `pass` lets time pass and the times of connections be checked. */
async function serverWithClock() {
  const own = await createTestServer(withMqtt);
  const user = await signUpClient(own, 'ann');
  const [device, ring] = [await user.device(), await user.swarm()];
  await user.add(ring, device, 'producer');
  const { key, id: keyId } = await own.app.operator.createDeviceKey({ device: device.id, name: 'k' });
  const ownPort = await openMqtt(own.app);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = performance.now.bind(performance);
  let later = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + later);
  return {
    db: own.db,
    connect: (more: object) => open({ id: device.id, key, keyId }, 5, more, ownPort),
    pass(ms: number) {
      later += ms;
      vi.advanceTimersByTime(credentialsCheckedEveryMs);
    },
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
}

testOnSqlite('a client is not silent while the server does not read it, because the database is slow', async () => {
  await using own = await serverWithClock();
  const { send, socket, answers } = await own.connect({ keepalive: 10 });
  const ended = once(socket, 'close');
  const { write } = own.db;
  const [isWriting, isFast] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(own.db, 'write').mockImplementation(async (statements) => {
    isWriting.resolve();
    await isFast.promise;
    return (await write(statements)) as never;
  });
  socket.cork();
  // The last one waits in the socket.
  for (let messageId = 1; messageId <= mqttLimits.inFlight + 1; messageId++) send(publish({ messageId }));
  socket.uncork();
  await isWriting.promise;
  own.pass(60_000);
  isFast.resolve();
  await expect.poll(() => answers).toHaveLength(mqttLimits.inFlight + 1);
  // From now on it could be heard again.
  own.pass(14_000);
  send({ cmd: 'pingreq' });
  await expect.poll(() => answers.at(-1)).toMatchObject({ cmd: 'pingresp' });
  own.pass(16_000);
  await ended;
  expect(answers.at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8d });
});

test('a client that waits for its CONNACK, because the database is slow, is not one that sends none', async () => {
  await using own = await serverWithClock();
  const { read } = own.db;
  const [isReading, isFast] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(own.db, 'read').mockImplementation(async (query) => {
    if (query.sql.includes('FROM api_keys')) {
      isReading.resolve();
      await isFast.promise;
    }
    return (await read(query)) as never;
  });
  const connecting = own.connect({});
  await isReading.promise;
  own.pass(mqttLimits.connectMs + 1);
  isFast.resolve();
  const { send, answers } = await connecting;
  send({ cmd: 'pingreq' });
  await expect.poll(() => answers).toMatchObject([{ cmd: 'pingresp' }]);
});

testOnSqlite('a client of version 5 gets reason codes for what is refused, and continues', async () => {
  const { id, key } = await member('consumer');
  const client = await connect({ id, key }, 5);
  const code = (topic: string, payload: string) =>
    client.publishAsync(topic, payload, { qos: 1 }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  expect(await code('messages', '1')).toBe(0x87);
  expect(await code('elsewhere', '1')).toBe(0x90);
  expect(await code('messages/no-id', '1')).toBe(0x90);
  expect(await code('position', '{"longitude":900,"latitude":0}')).toBe(0x99);
  expect(await code('messages', JSON.stringify('a'.repeat(16_384)))).toBe(0x99);
});

testOnSqlite(
  'a client of version 3.1.1, which cannot be refused, gets an acknowledgement, and nothing is sent',
  async () => {
    const { id, key } = await member('consumer');
    const client = await connect({ id, key }, 4);
    await client.publishAsync('messages', '1', { qos: 1 });
    await client.publishAsync('elsewhere', '1', { qos: 1, retain: true });
    expect(await sentBy(id)).toEqual([]);
  },
);

test('what a client of version 3.1.1 is refused is counted with the reason, until it is right', async () => {
  const { id, key } = await member('consumer');
  const refusals = async () => {
    server.wait(60_000);
    await server.app.presence.round();
    return ann.get<Refusals>(`/resources/${id}/refusals`);
  };
  const wrong = mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username: id, password: 'wrong', reconnectPeriod: 0 });
  await expect(wrong).rejects.toMatchObject({ code: 4 });
  const client = await connect({ id, key }, 4);
  expect(await refusals()).toMatchObject({ wrong_keys: { times: 1 } });
  await client.publishAsync('messages', '1', { qos: 1 });
  expect(await refusals()).toMatchObject({ refused: { times: 1, code: 'message.not_producer' } });
  await client.publishAsync('elsewhere', '1', { qos: 1 });
  expect(await refusals()).toMatchObject({
    refused: { times: 2, code: 'route.not_found', detail: 'No topic "elsewhere"' },
  });
  await client.publishAsync('messages', 'x'.repeat(17_000), { qos: 1 });
  expect(await refusals()).toMatchObject({ refused: { times: 3, code: 'body.too_large' } });
  await client.subscribeAsync('sensors/#').catch(() => {});
  expect(await refusals()).toMatchObject({
    refused: { times: 4, code: 'route.not_found', detail: 'No topic to receive: "sensors/#"' },
  });
  const lines = server.logged.filter((line) => line.includes(id) && line.includes('request failed'));
  expect(lines.length).toBeGreaterThanOrEqual(3);
  await client.subscribeAsync('messages/#');
  const { refused, wrong_keys } = await refusals();
  expect([refused, wrong_keys?.times]).toEqual([undefined, 1]);
});

test.each([
  ['in no swarm', undefined, 0x87],
  ['that is a consumer', 'consumer', 0x87],
  ['that is a producer', 'producer', 0],
  ['with both roles', 'both', 0],
] as const)('a device %s may send what it may send over HTTP', async (_, role, expected) => {
  const [receiver, sender] = [await member('consumer'), await member(role ?? 'producer')];
  if (!role) await ann.remove(`/swarms/${swarm.id}/resources/${sender.id}`);
  const elsewhere = await ann.swarm();
  const client = await connect(sender, 5);
  const code = (topic: string) =>
    client.publishAsync(topic, '1', { qos: 1 }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  expect(await code('messages')).toBe(expected);
  expect(await code(`messages/${swarm.id}`)).toBe(expected);
  expect(await code(`messages/${swarm.id}/${receiver.id}`)).toBe(expected);
  expect(await code(`messages/${elsewhere.id}`)).toBe(0x87);
});

test('a client that has missed messages gets them with `since`', async () => {
  const [sender, receiver] = [await member('producer'), await member('consumer')];
  const sending = await connect(sender, 5);
  const first = await connect(receiver, 5);
  const before = inbox(first);
  await first.subscribeAsync('messages/#');
  await sending.publishAsync('messages', '1', { qos: 1 });
  await expect.poll(() => before.length).toBe(1);
  await first.endAsync();
  await sending.publishAsync('messages', '2', { qos: 1 });
  const next = await connect(receiver, 5);
  const received = inbox(next);
  const since = before[0]!.id as string;
  await next.subscribeAsync('messages/#', { qos: 1, properties: { userProperties: { since } } });
  await expect.poll(() => received.map(({ payload }) => payload)).toEqual([2]);
});

test('a client of version 5 gets the messages around those of which no packet can be made, and is told that it misses some', async () => {
  const [sender, receiver] = [await member('producer'), await member('consumer')];
  const [sending, first] = [await connect(sender, 5), await connect(receiver, 5)];
  const before = inbox(first);
  await first.subscribeAsync('messages/#');
  await sending.publishAsync('messages', '1', { qos: 1 });
  await expect.poll(() => before.length).toBe(1);
  const since = before[0]!.id as string;
  await first.endAsync();
  for (const payload of ['2', '3', '4', '5']) await sending.publishAsync('messages', payload, { qos: 1 });
  const damage = (payload: string, properties: string) => ({
    sql: 'UPDATE messages SET properties = $3 WHERE sender_id = $1 AND payload = $2',
    params: [sender.id, payload, properties],
  });
  // No form can be made of the first, and no packet of the second.
  await server.db.write([damage('3', '{'), damage('4', '{"correlation_data":4}')]);
  const next = await connect(receiver, 5);
  const received = inbox(next);
  const told: unknown[] = [];
  next.on('message', (_, __, { properties }: IPublishPacket) =>
    told.push(properties?.userProperties?.['missing-after']),
  );
  await next.subscribeAsync('messages/#', { qos: 1, properties: { userProperties: { since } } });
  await expect.poll(() => received.map(({ payload }) => payload)).toEqual([2, 5]);
  expect(told).toEqual([undefined, received[0]!.id]);
  // Of each, why.
  expect(server.logged.splice(0).filter((line) => line.includes('"level":"error"'))).toHaveLength(2);
});

test('a client of version 5 that has missed messages that were deleted is told with the next one', async () => {
  const [sender, receiver] = [await member('producer'), await member('consumer')];
  const [first, second] = [await connect(sender, 5), await connect(receiver, 5)];
  const properties: unknown[] = [];
  second.on('message', (_, __, packet: IPublishPacket) => properties.push({ ...packet.properties?.userProperties }));
  await second.subscribeAsync('messages/#');
  await first.publishAsync('messages', '1', { qos: 1 });
  await expect.poll(() => properties).toHaveLength(1);
  const { id: since } = properties[0] as { id: string };
  await second.endAsync(true);
  await server.db.write([
    {
      sql: `INSERT INTO message_gaps SELECT $1, '', max(seq) + 1, 'gone', 0 FROM messages`,
      params: [swarm.id],
    },
  ]);
  for (const payload of ['2', '3']) await first.publishAsync('messages', payload, { qos: 1 });
  const again = await connect(receiver, 5);
  const later: unknown[] = [];
  again.on('message', (_, __, packet: IPublishPacket) => later.push({ ...packet.properties?.userProperties }));
  await again.subscribeAsync('messages/#', { qos: 0, properties: { userProperties: { since } } });
  await expect.poll(() => later).toHaveLength(2);
  expect(later).toEqual([{ id: expect.any(String), 'missing-after': since }, { id: expect.any(String) }]);
});

testOnSqlite('a client of version 5 without an identifier gets one, and nobody is taken over', async () => {
  const one = await member('both');
  const bye: Packet = { cmd: 'disconnect' };
  const [first, second] = [
    await raw([hello(one, { clientId: '' }), bye]),
    await raw([hello(one, { clientId: '' }), bye]),
  ];
  const assigned = [first, second].map(
    ([connack]) => (connack!['properties'] as Record<string, string>)['assignedClientIdentifier'],
  );
  expect(new Set(assigned).size).toBe(2);
  expect(assigned[0]).toMatch(/^[0-9a-f-]{36}$/);
  const [known] = await raw([hello(one, { clientId: 'board' }), bye]);
  expect(known!['properties']).not.toHaveProperty('assignedClientIdentifier');
  const [long] = await raw([hello(one, { clientId: 'x'.repeat(257) })]);
  expect(long).toMatchObject({ cmd: 'connack', reasonCode: 0x85 });
});

testOnSqlite('two clients that take each other over are slowed', async () => {
  const one = await member('both');
  const codes: number[] = [];
  for (let n = 0; n < 30; n++)
    codes.push(
      await connect(one, 5, { clientId: 'board' }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      ),
    );
  expect(codes.slice(0, 21)).toEqual(Array.from({ length: 21 }, () => 0));
  expect(codes.at(-1)).toBe(0x97);
});

describe('of two processes', () => {
  /** A client, and how its connection has ended: with a reason, or without one. */
  async function observed(one: Member, at: number, options: { version?: 4 | 5; clientId?: string } = {}) {
    const { version = 5, clientId = 'board' } = options;
    const before = announced.length;
    const client = mqtt.connect(`mqtt://127.0.0.1:${at}`, { ...optionsOf(one, version), clientId });
    clients.push(client);
    let reason: number | undefined;
    // It may be taken over before it is known here that it has connected.
    client.on('disconnect', ({ reasonCode }) => void (reason = reasonCode));
    const ended = new Promise<number | undefined>((resolve) => client.once('close', () => resolve(reason)));
    await new Promise<void>((resolve) => client.once('connect', () => resolve()));
    // A connection is older than another one if it was announced before.
    if (version === 5 || clientId !== '') await expect.poll(() => announced.length).toBeGreaterThan(before);
    return { client, ended };
  }

  test.each([4, 5] as const)('a client of version %s takes its connection to the other one over', async (version) => {
    await using other = await another();
    const one = await member('both');
    for (const [here, there] of [
      [port, other.port],
      [other.port, port],
    ] as const) {
      const old = await observed(one, here, { version });
      const beside = await observed(one, here, { version, clientId: 'another' });
      const unnamed = await observed(one, there, { version, clientId: '' });
      const next = await observed(one, there, { version });
      expect(await old.ended).toBe(version === 5 ? 0x8e : undefined);
      for (const { client } of [beside, unnamed, next]) {
        await client.publishAsync('messages', '1', { qos: 1 });
        await client.endAsync();
      }
    }
  });

  test('of two connections of a client that are accepted at once, one stays', async () => {
    await using other = await another();
    const one = await member('both');
    for (let n = 0; n < 5; n++) {
      const both = await Promise.all([observed(one, port), observed(one, other.port)]);
      const [reason, stays] = await Promise.race(
        both.map(async ({ ended }, index) => [await ended, both[1 - index]!] as const),
      );
      expect(reason).toBe(0x8e);
      await stays.client.publishAsync('messages', '1', { qos: 1 });
      await stays.client.endAsync();
    }
  });

  testOnSqlite('two clients that take each other over are slowed: the older one stays', async () => {
    await using other = await another();
    const one = await member('both');
    let before = await observed(one, port);
    let taken = 0;
    for (; taken < 300; taken++) {
      const next = await observed(one, taken % 2 === 0 ? other.port : port);
      const [reason, isNext] = await Promise.race([
        before.ended.then((code) => [code, false] as const),
        next.ended.then((code) => [code, true] as const),
      ]);
      expect(reason).toBe(isNext ? 0x97 : 0x8e);
      if (isNext) break;
      before = next;
    }
    // Each process counts for itself.
    expect(taken).toBeGreaterThanOrEqual(40);
    expect(taken).toBeLessThan(300);
    await before.client.publishAsync('messages', '1', { qos: 1 });
  });
});

/** A will, as a client sends it. */
const willOf = (more: object = {}) => ({
  will: { topic: 'messages', payload: '"lost"', qos: 1, retain: false, ...more },
});

describe.each(versions)('a will of version %s', (version) => {
  /** A producer whose client has a will. `sent`: what the device has sent, and then the will if there is one. */
  async function withWill(more: { will?: object; hello?: object } = {}) {
    const one = await member('producer');
    const opened = await open(one, version, { ...willOf(more.will), ...more.hello });
    const payloads = async () => (await sentBy(one.id)).map(({ payload }) => payload);
    return { one, payloads, ...opened };
  }

  testOnSqlite.each([
    ['the connection is lost', async ({ socket }) => void socket.destroy()],
    ['the client ends it without DISCONNECT', async ({ socket }) => void socket.end()],
    ['the client sends what the protocol forbids', async ({ send }) => void send({ cmd: 'pingresp' })],
    [
      'another connection of the client takes over',
      async ({ one }) => void (await connect(one, version, { clientId: 'board' })),
    ],
    ['the client is silent for longer than it said', async () => {}, { keepalive: 1 }],
  ] as [string, (opened: Awaited<ReturnType<typeof withWill>>) => Promise<void>, object?][])(
    'is sent as a message of the device when %s',
    async (_, lose, more = {}) => {
      const opened = await withWill({ hello: { clientId: 'board', ...more } });
      await lose(opened);
      await expect.poll(opened.payloads).toEqual(['lost']);
    },
  );

  test.each([
    ['DISCONNECT', async ({ send }) => void send({ cmd: 'disconnect' })],
    ['the end of its key', async ({ one }) => server.app.operator.revokeKey({ id: one.keyId })],
  ] as [string, (opened: Awaited<ReturnType<typeof withWill>>) => Promise<void>][])(
    'is not sent after %s',
    async (_, end) => {
      const opened = await withWill();
      const closed = once(opened.socket, 'close');
      await end(opened);
      await closed;
      // Messages are stored in their order.
      const { key } = await server.app.operator.createDeviceKey({ device: opened.one.id, name: 'k2' });
      await (await connect({ id: opened.one.id, key }, version)).publishAsync('messages', '"after"', { qos: 1 });
      expect(await opened.payloads()).toEqual(['after']);
    },
  );

  test('is not sent when the server stops', async () => {
    await using own = await createTestServer(withMqtt);
    const ownPort = await openMqtt(own.app);
    const user = await signUpClient(own, 'ann');
    const [device, ring] = [await user.device(), await user.swarm()];
    await user.add(ring, device, 'producer');
    const { key } = await own.app.operator.createDeviceKey({ device: device.id, name: 'k' });
    const options = { ...optionsOf({ id: device.id, key }, version), port: ownPort };
    await mqtt.connectAsync(`mqtt://127.0.0.1:${ownPort}`, { ...options, will: { ...willOf().will, qos: 1 } });
    own.app.endStreams();
    await expect.poll(() => connectionsOf(own.app)).toBe(0);
    await user.request({ method: 'POST', path: `/resources/${device.id}/messages`, body: { payload: 'after' } });
    const sent = await user.get<Message[]>(`/resources/${device.id}/messages/sent`);
    expect(sent.map(({ payload }) => payload)).toEqual(['after']);
  });

  test('is no sign of life', async () => {
    const { one, socket, payloads } = await withWill();
    await server.app.presence.round();
    const before = await heardAt(one);
    server.wait(60_000);
    socket.destroy();
    await expect.poll(payloads).toEqual(['lost']);
    await server.app.presence.round();
    expect(await heardAt(one)).toBe(before);
  });

  test('is not sent by a device that may not send', async () => {
    const { one, socket, payloads } = await withWill();
    await ann.remove(`/swarms/${swarm.id}/resources/${one.id}`);
    socket.destroy();
    await expect
      .poll(() => server.logged.filter((line) => line.includes('message.not_producer') && line.includes(one.id)))
      .toHaveLength(1);
    expect(await payloads()).toEqual([]);
  });

  testOnSqlite('is not sent if it is larger than a message may be', async () => {
    const payload = 'x'.repeat(messageLimits.payloadBytes + 1);
    const { one, socket, payloads } = await withWill({ will: { payload } });
    socket.destroy();
    const refused = () =>
      server.logged.filter((line) => line.includes('"code":"body.invalid"') && line.includes(one.id));
    await expect.poll(refused).toHaveLength(1);
    expect(await payloads()).toEqual([]);
  });

  test('is not sent after the end of its device', async () => {
    const { one, socket } = await withWill();
    const other = await member('producer');
    const closed = once(socket, 'close');
    await ann.remove(`/resources/${one.id}`);
    await closed;
    // Messages are stored in their order.
    await (await connect(other, version)).publishAsync('messages', '"after"', { qos: 1 });
    const { items } = await ann.get<MessagePage>(`/swarms/${swarm.id}/messages?limit=1`);
    expect(items.map(({ from, payload }) => [from, payload])).toEqual([[other.id, 'after']]);
    expect((await ann.get<MessagePage>(`/swarms/${swarm.id}/messages?resource_id=${one.id}`)).items).toEqual([]);
  });

  testOnSqlite('is sent later if the device is beyond its rate', async () => {
    const { send, socket, payloads } = await withWill();
    for (let n = 0; n < 130; n++) send(publish({ qos: 0, payload: '0' }));
    await expect.poll(async () => (await payloads()).length).toBeGreaterThan(40);
    socket.destroy();
    await expect.poll(payloads).toContain('lost');
  });

  testOnSqlite('that is too much for its user refuses the connection', async () => {
    vi.spyOn(mqttLimits, 'willBytes', 'get').mockReturnValue(400);
    const { one, socket } = await withWill();
    const [refused] = await raw([hello(one, { protocolVersion: version, ...willOf() })], version);
    expect(refused).toMatchObject(version === 5 ? { reasonCode: 0x97 } : { returnCode: 3 });
    socket.destroy();
    const { will } = willOf();
    await expect
      .poll(() =>
        connect(one, version, { will: { ...will, qos: 1 } }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });
});

describe.each(versions)('a will of version %s, near the limit of its user,', (version) => {
  /** A connection whose will leaves no room for another one. */
  async function withLargeWill() {
    vi.spyOn(mqttLimits, 'willBytes', 'get').mockReturnValue(400);
    const one = await member('producer');
    const old = await openOnceThereIsRoom(one, version, { clientId: 'board', ...willOf() });
    const connectAgain = (payload: string) =>
      raw(
        [hello(one, { protocolVersion: version, clientId: 'board', ...willOf({ payload }) }), { cmd: 'disconnect' }],
        version,
      );
    const payloads = async () => (await sentBy(one.id)).map((message) => message.payload);
    return { ...old, connectAgain, payloads };
  }

  test('is replaced by that of a new connection of its client', async () => {
    const { socket, connectAgain, payloads } = await withLargeWill();
    const closed = once(socket, 'close');
    const [answer] = await connectAgain('"next"');
    expect(answer).toMatchObject(version === 5 ? { reasonCode: 0 } : { returnCode: 0 });
    await closed;
    await expect.poll(payloads).toEqual(['lost']);
  });

  test('stays with its connection if that of the new one is refused', async () => {
    const { send, answers, connectAgain, payloads } = await withLargeWill();
    const [answer] = await connectAgain(JSON.stringify('x'.repeat(300)));
    expect(answer).toMatchObject(version === 5 ? { reasonCode: 0x97 } : { returnCode: 3 });
    send({ cmd: 'pingreq' });
    await expect.poll(() => answers).toMatchObject([{ cmd: 'pingresp' }]);
    expect(await payloads()).toEqual([]);
  });
});

describe('a will of version 5', () => {
  /** A device whose only will waits for its delay: it leaves no room for another one. */
  async function withDelayedWill(willDelayInterval: number) {
    vi.spyOn(mqttLimits, 'willBytes', 'get').mockReturnValue(400);
    const one = await member('producer');
    const { will } = willOf({ properties: { willDelayInterval } });
    const before = announced.length;
    const { socket } = await openOnceThereIsRoom(one, 5, { clientId: 'board', will });
    await expect.poll(() => announced.length).toBeGreaterThan(before);
    socket.destroy();
    const hasRoom = async () => {
      const [answer] = await raw([hello(one, { clientId: 'other', ...willOf() }), { cmd: 'disconnect' }]);
      return answer!['reasonCode'] === 0;
    };
    return { one, hasRoom };
  }

  testOnSqlite('is also sent after DISCONNECT with 4', async () => {
    const one = await member('producer');
    const { send } = await open(one, 5, willOf());
    send({ cmd: 'disconnect', reasonCode: 4 });
    await expect.poll(async () => (await sentBy(one.id)).map(({ payload }) => payload)).toEqual(['lost']);
  });

  testOnSqlite('is sent when its delay has passed', async () => {
    const { one, hasRoom } = await withDelayedWill(1);
    await expect.poll(async () => (await sentBy(one.id)).map(({ payload }) => payload)).toEqual(['lost']);
    expect(await hasRoom()).toBe(true);
  });

  test.each([true, false])(
    'is not sent if its client connects again before that; to the same process: %s',
    async (isSame) => {
      await using other = await another();
      const { one, hasRoom } = await withDelayedWill(3600);
      expect(await hasRoom()).toBe(false);
      await connect(one, 5, { clientId: 'board', port: isSame ? port : other.port });
      await expect.poll(hasRoom).toBe(true);
      expect(await sentBy(one.id)).toEqual([]);
    },
  );

  testOnSqlite.each([
    ['a retained will', willOf({ retain: true }), 0x9a],
    ['a will to another topic', willOf({ topic: 'status' }), 0x90],
    ['a will with a wildcard', willOf({ topic: 'messages/#' }), 0x81],
    ['a will with a property of another packet', willOf({ properties: { topicAlias: 3 } }), 0x81],
    ['data without a method', { properties: { authenticationData: Buffer.from('x') } }, 0x82],
    ['another authentication', { properties: { authenticationMethod: 'SCRAM-SHA-256' } }, 0x8c],
  ])('%s is refused', async (_, more, code) => {
    const one = await member('producer');
    expect(await raw([hello(one, more)])).toMatchObject([{ cmd: 'connack', reasonCode: code }]);
  });
});

testOnSqlite(
  'a client gets no packet that is larger than it takes, and is told that it has missed a message',
  async () => {
    const [sender, receiver] = [await member('producer'), await member('consumer')];
    const listening = await connect(receiver, 5, { properties: { maximumPacketSize: 1000 } });
    const got: { payload: unknown; missing: unknown; id: unknown }[] = [];
    listening.on('message', (_, payload, packet: IPublishPacket) => {
      const { id, 'missing-after': missing } = packet.properties!.userProperties!;
      got.push({ payload: JSON.parse(payload.toString()), missing, id });
    });
    await listening.subscribeAsync('messages/#');
    const sending = await connect(sender, 5);
    for (const payload of ['1', JSON.stringify('x'.repeat(2000)), '2', '3'])
      await sending.publishAsync('messages', payload, { qos: 1 });
    await expect.poll(() => got.map(({ payload }) => payload)).toEqual([1, 2, 3]);
    expect(got.map(({ missing }) => missing)).toEqual([undefined, got[0]!.id, undefined]);
  },
);

testOnSqlite(
  'a client that takes less than an answer has, gets it without the reason in words, or is not connected',
  async () => {
    const one = await member('producer');
    const large = publish({ payload: Buffer.alloc(17 * 1024, 'a') });
    // CONNACK has the identifier that the server has chosen.
    expect(await raw([hello(one, { properties: { maximumPacketSize: 45 } })])).toEqual([]);
    const { send, answers } = await open(one, 5, { clientId: 'board', properties: { maximumPacketSize: 30 } });
    send(large);
    await expect.poll(() => answers).toHaveLength(1);
    expect(answers).toMatchObject([{ cmd: 'puback', reasonCode: 0x99 }]);
    expect(answers[0]).not.toHaveProperty('properties');
    expect(await raw([hello(one, { ...willOf(), properties: { maximumPacketSize: 4 } })])).toEqual([]);
    const next = await connect(one, 5);
    await next.publishAsync('messages', '1', { qos: 1 });
    expect(await sentBy(one.id)).toHaveLength(1);
  },
);

testOnSqlite.each([
  ['twice', Buffer.from([2, 0, 0, 0, 9, 2, 0, 0, 0, 9]), 0x82],
  ['in the wrong packet', Buffer.from([0x11, 0, 0, 0, 9]), 0x81],
])('a property %s ends the connection', async (_, sent, code) => {
  const one = await member('producer');
  const topic = Buffer.from('messages');
  const body = Buffer.concat([Buffer.from([0, topic.length]), topic, Buffer.from([0, 7, sent.length]), sent]);
  const answers = await raw([hello(one), Buffer.concat([Buffer.from([0x32, body.length]), body])]);
  expect(answers.map(({ cmd, reasonCode }) => [cmd, reasonCode])).toEqual([
    ['connack', 0],
    ['disconnect', code],
  ]);
});

test('a device that is removed from a swarm receives nothing that is sent there afterwards', async () => {
  const [sender, receiver] = [await member('producer'), await member('consumer')];
  const other = await ann.swarm();
  await ann.add(other, sender, 'producer');
  await ann.add(other, receiver, 'consumer');
  const listening = await connect(receiver, 5);
  const received = inbox(listening);
  await listening.subscribeAsync('messages/#');
  const sending = await connect(sender, 5);
  await sending.publishAsync(`messages/${swarm.id}`, '1', { qos: 1 });
  await expect.poll(() => received.length).toBe(1);
  await ann.remove(`/swarms/${swarm.id}/resources/${receiver.id}`);
  await sending.publishAsync(`messages/${swarm.id}`, '2', { qos: 1 });
  await sending.publishAsync(`messages/${other.id}`, '3', { qos: 1 });
  await expect.poll(() => received.map(({ payload }) => payload)).toContain(3);
  expect(received.map(({ payload }) => payload)).toEqual([1, 3]);
});

testOnSqlite('a fifth connection of a device ends its oldest', async () => {
  const one = await member('both');
  const oldest = await connect(one, 5);
  const ended = new Promise<IDisconnectPacket>((resolve) => void oldest.once('disconnect', resolve));
  const open = await Promise.all(Array.from({ length: 3 }, () => connect(one, 5)));
  await connect(one, 5);
  expect(await ended).toMatchObject({ reasonCode: 0x8e });
  expect(open.map(({ connected }) => connected)).toEqual([true, true, true]);
});

testOnSqlite(
  'the devices of a user take less than half of the connections of a process, and another user connects beside them',
  async () => {
    expect(2 * messageLimits.connectionsOfUser).toBeLessThan(mqttLimits.connections);
    vi.spyOn(messageLimits, 'connectionsOfUser', 'get').mockReturnValue(6 as never);
    const [one, two, three] = [await member('both'), await member('both'), await member('both')];
    const open = await Promise.all([one, one, one, one, two, two].map((device) => connect(device, 5)));
    await expect(connect(three, 5)).rejects.toMatchObject({ code: 0x97 });
    // The slot of its own oldest one is there for a device.
    const ended = new Promise<IDisconnectPacket>((resolve) => void open[4]!.once('disconnect', resolve));
    await connect(two, 5);
    expect(await ended).toMatchObject({ reasonCode: 0x8e });
    await expect(connect(three, 4)).rejects.toMatchObject({ code: 3 });
    const ben = await signUpClient(server, 'ben');
    const other = await ben.device();
    const { key } = await server.app.operator.createDeviceKey({ device: other.id, name: 'k' });
    await connect({ id: other.id, key }, 5);
    await open[0]!.endAsync();
    await expect
      .poll(() =>
        connect(three, 5).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  },
);

testOnSqlite('messages beyond the rate of a device are refused, as over HTTP', async () => {
  const client = await connect(await member('producer'), 5);
  const codes = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      client.publishAsync('messages', String(n), { qos: 1 }).then(
        () => 0,
        (error: { code: number }) => error.code,
      ),
    ),
  );
  expect(new Set(codes)).toEqual(new Set([0, 0x97]));
});

testOnSqlite.each([
  ['a retained message', () => [publish({ retain: true })], 0x9a],
  ['a topic alias', () => [publish({ properties: { topicAlias: 3 } })], 0x94],
  ['a flood of pings', () => Array.from({ length: 200 }, (): Packet => ({ cmd: 'pingreq' })), 0x96],
  ['a flood to no topic', () => Array.from({ length: 200 }, () => publish({ topic: 'elsewhere', qos: 0 })), 0x96],
  ['a second CONNECT', (one: Member) => [hello(one)], 0x82],
  ['a subscription with an identifier', () => [subscribing({ subscriptionIdentifier: 3 })], 0xa1],
  ['a shared subscription', () => [subscribing({}, '$share/a/messages/#')], 0x9e],
  ['another authentication', () => [{ cmd: 'auth', reasonCode: 0x19 } as Packet], 0x82],
  ['a packet that only a server sends', () => [{ cmd: 'pingresp' } as Packet], 0x82],
  ['a packet of no kind', () => [Buffer.from([0x00, 0x00])], 0x81],
  ['a packet that is too long, before it has arrived', () => [Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f, 0])], 0x95],
])('%s ends the connection with the code of the protocol', async (_, packets, code) => {
  const one = await member('producer');
  const answers = (await raw([hello(one), ...packets(one)])).filter(({ cmd }) => cmd !== 'pingresp');
  expect(answers.map(({ cmd, reasonCode }) => [cmd, reasonCode])).toEqual([
    ['connack', 0],
    ['disconnect', code],
  ]);
});

testOnSqlite('who publishes before CONNECT is disconnected without an answer', async () => {
  expect(await raw([publish()])).toEqual([]);
});

testOnSqlite(
  '2,000 connections that send half of a packet or nothing are bounded, and devices connect beside them',
  async () => {
    vi.spyOn(mqttLimits, 'silent', 'get').mockReturnValue(1000 as never);
    const half = generate(hello({ id: 'a', key: 'b' })).subarray(0, 9);
    let closed = 0;
    // As many at once as the system lets wait for the server.
    for (let n = 0; n < 2000; n += 200) {
      const some = Array.from({ length: 200 }, () => createConnection({ port, host: '127.0.0.1' }));
      sockets.push(...some);
      for (const socket of some)
        socket
          .on('error', () => {})
          .on('close', () => closed++)
          .resume();
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      for (const socket of some.slice(100)) socket.write(half);
    }
    await expect.poll(() => closed).toBe(1000);
    const client = await connect(await member('producer'), 5);
    await client.publishAsync('messages', '1', { qos: 1 });
    await expect.poll(() => connectionsOf(server.app)).toBe(1000);
  },
);

testOnSqlite.each([
  ['a request of HTTP', Buffer.from('G')],
  ['TLS', Buffer.from([0x16])],
  ['another packet', Buffer.from([0x30])],
  ['a flag', Buffer.from([0x11])],
  ['another length of the name', Buffer.from([0x10, 0x20, 0, 5])],
  ['another name', Buffer.from('\x10\x20\0\x04MQX', 'latin1')],
  ['no header of a proxy', Buffer.from('PX')],
])('bytes that never become CONNECT end the connection at once: %s', async (_, bytes) => {
  // A connection that only sends no CONNECT would stay.
  vi.spyOn(mqttLimits, 'connectMs', 'get').mockReturnValue(hourMs as never);
  const socket = createConnection({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.resume();
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
});

const loopback = [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' as const }];

/** A server behind a proxy on this machine, with a device and what sends bytes to it. */
async function behindProxy(trustedProxies = loopback) {
  const own = await createTestServer({ ...withMqtt, rateLimit: 1, trustedProxies });
  const user = await signUpClient(own, 'ann');
  const device = await user.device();
  const { key } = await own.app.operator.createDeviceKey({ device: device.id, name: 'k' });
  const ownPort = await openMqtt(own.app);
  function open() {
    const socket = createConnection({ port: ownPort, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    socket.on('error', () => {});
    const reader = parser({ protocolVersion: 5 });
    const answers: Packet[] = [];
    reader.on('packet', (packet) => answers.push(packet));
    socket.on('data', (part) => reader.parse(part));
    return { socket, answers, closed: new Promise<void>((resolve) => socket.once('close', () => resolve())) };
  }
  return {
    open,
    hello: generate(hello({ id: device.id, key }), { protocolVersion: 5 }),
    wrong: generate(hello({ id: device.id, key: 'swb_wrong' }), { protocolVersion: 5 }),
    /** The addresses of failed requests in the log. */
    addresses: () => own.logged.flatMap((line) => /"code":"key.invalid".*"address":"([^"]*)"/.exec(line)?.[1] ?? []),
    logged: own.logged,
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
}
const proxied = (address: string) => Buffer.from(`PROXY TCP6 ${address} 2001:db8::1 49152 8883\r\n`);
const proxied4 = Buffer.from('0d0a0d0a000d0a515549540a2111000cc00002070a000001c00022b3', 'hex');

describe('behind a proxy that is trusted', () => {
  testOnSqlite.each([
    ['no header', Buffer.alloc(0), '127.0.0.1'],
    ['version 1', proxied('2001:db8:0:1::7'), '2001:db8:0:1::'],
    ['version 2', proxied4, '192.0.2.7'],
  ])('a client has the address that the proxy tells: %s', async (_, header, address) => {
    await using proxy = await behindProxy();
    const refused = proxy.open();
    refused.socket.write(Buffer.concat([header, proxy.wrong]));
    await refused.closed;
    expect(refused.answers).toMatchObject([{ cmd: 'connack', reasonCode: 0x86 }]);
    expect(proxy.addresses()).toEqual([address]);
    // Byte by byte, and with all at once.
    const slow = proxy.open();
    await once(slow.socket, 'connect');
    for (const byte of [...header, ...proxy.hello]) {
      slow.socket.write(Buffer.from([byte]));
      await nextLoopTick();
    }
    const { socket, answers } = proxy.open();
    socket.write(Buffer.concat([header, proxy.hello, generate({ cmd: 'pingreq' })]));
    await expect.poll(() => slow.answers).toMatchObject([{ cmd: 'connack', reasonCode: 0 }]);
    await expect.poll(() => answers).toMatchObject([{ cmd: 'connack', reasonCode: 0 }, { cmd: 'pingresp' }]);
  });

  testOnSqlite('only its own header counts, and a wrong one ends the connection', async () => {
    await using proxy = await behindProxy();
    for (const header of [
      Buffer.concat([proxied('2001:db8:0:1::7'), proxied('2001:db8:0:2::7')]),
      Buffer.from('PROXY TCP4 2001:db8:0:1::7 2001:db8::1 1 2\r\n'),
      Buffer.concat([proxied4.subarray(0, 14), Buffer.from([0xff, 0xff])]),
    ]) {
      const { socket, answers, closed } = proxy.open();
      socket.write(Buffer.concat([header, proxy.hello]));
      await closed;
      expect(answers).toEqual([]);
    }
  });

  test('connections of one address that send nothing end before those of others', async () => {
    await using proxy = await behindProxy();
    vi.spyOn(mqttLimits, 'silent', 'get').mockReturnValue(20 as never);
    const slow = proxy.open();
    slow.socket.write(Buffer.concat([proxied('2001:db8:0:1::7'), proxy.hello.subarray(0, 20)]));
    const strangers = [];
    for (let n = 0; n < 60; n++) {
      const stranger = proxy.open();
      await once(stranger.socket, 'connect');
      stranger.socket.write(proxied(`2001:db8:0:bad::${n}`));
      strangers.push(stranger);
    }
    await Promise.all(strangers.slice(0, 40).map(({ closed }) => closed));
    slow.socket.write(proxy.hello.subarray(20));
    await expect.poll(() => slow.answers).toMatchObject([{ cmd: 'connack', reasonCode: 0 }]);
  });
});

test('a proxy that is not trusted cannot tell an address, and is named in the log', async () => {
  await using proxy = await behindProxy([{ address: '192.0.2.1', prefix: 32, family: 'ipv4' }]);
  for (const header of [proxied('2001:db8:0:1::7'), proxied4]) {
    const { socket, answers, closed } = proxy.open();
    socket.write(Buffer.concat([header, proxy.hello]));
    await closed;
    expect(answers).toEqual([]);
  }
  const warned = proxy.logged.filter((line) => line.includes('TRUSTED_PROXIES'));
  expect(warned.map((line) => JSON.parse(line) as object)).toMatchObject([{ peer: '127.0.0.1', header: 'PROXY' }]);
});

test('a message to all swarms is not sent to one that takes no more, and says so, as over HTTP', async () => {
  // A swarm takes one message of a user at once, and a device sends one. The clock stands.
  await using own = await createTestServer({ ...withMqtt, rateLimit: 0.002, isRepeatable: true });
  const ownPort = await openMqtt(own.app);
  const user = await signUpClient(own, 'ann');
  const made = async <Made>(make: () => Promise<Made>) => (own.wait(10_000_000), make());
  const [full, free, other] = [
    await made(() => user.swarm()),
    await made(() => user.swarm()),
    await made(() => user.swarm()),
  ];
  async function producer(swarms: Swarm[]) {
    const device = await made(() => user.device());
    for (const each of swarms) await made(() => user.add(each, device, 'producer'));
    return device;
  }
  const [first, second, third] = [await producer([full]), await producer([full, free]), await producer([full, other])];
  const { key } = await own.app.operator.createDeviceKey({ device: third.id, name: 'k' });
  const socket = createConnection({ port: ownPort, host: '127.0.0.1' });
  sockets.push(socket);
  const answers: Packet[] = [];
  const reader = parser({ protocolVersion: 5 });
  reader.on('packet', (packet) => answers.push(packet));
  socket.on('data', (part) => reader.parse(part));
  own.wait(10_000_000);
  socket.write(generate(hello({ id: third.id, key }), { protocolVersion: 5 }));
  await expect.poll(() => answers).toHaveLength(1);
  own.wait(10_000_000);

  const send = (device: Resource, payload: number) =>
    user.request({ method: 'POST', path: `/resources/${device.id}/messages`, body: { payload } });
  expect(await (await send(first, 1)).json()).not.toHaveProperty('rate_exceeded');
  const answer = await send(second, 2);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([201, '1']);
  expect(await answer.json()).toMatchObject({ swarms: [free.id], rate_exceeded: [full.id] });
  socket.write(generate(publish(), { protocolVersion: 5 }));
  await expect
    .poll(() => answers.slice(1))
    .toMatchObject([
      { cmd: 'puback', reasonCode: 0, properties: { reasonString: expect.stringContaining('not sent to all swarms') } },
    ]);
  const rows = await own.db.read<{ swarm_id: string }>({ sql: 'SELECT swarm_id FROM messages ORDER BY seq' });
  expect(rows.map(({ swarm_id }) => swarm_id)).toEqual([full.id, free.id, other.id]);
});

describe('a device that is too fast', () => {
  /** A server on which a device has one request, the next one after 100 seconds, which no test waits for. */
  async function slowServer() {
    const own = await createTestServer({ ...withMqtt, rateLimit: 0.0005, isRepeatable: true });
    const earn = () => own.wait(10_000_000);
    const ownPort = await openMqtt(own.app);
    const user = await signUpClient(own, 'ann');
    async function device() {
      earn();
      const { id } = await user.device();
      const { key } = await own.app.operator.createDeviceKey({ device: id, name: 'k' });
      const socket = createConnection({ port: ownPort, host: '127.0.0.1' });
      sockets.push(socket);
      socket.on('error', () => {});
      const reader = parser({ protocolVersion: 5 });
      const answers: Packet[] = [];
      reader.on('packet', (packet) => answers.push(packet));
      socket.on('data', (part) => reader.parse(part));
      earn();
      socket.write(generate(hello({ id, key }), { protocolVersion: 5 }));
      await expect.poll(() => answers).toMatchObject([{ cmd: 'connack', reasonCode: 0 }]);
      return { id, socket, answers };
    }
    const refusals = () =>
      own.logged.flatMap((line) => (line.includes('rate.exceeded') ? [JSON.parse(line) as { device: string }] : []));
    return { device, refusals, earn, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
  }
  const small = generate(publish({ qos: 0 }), { protocolVersion: 5 });

  test('is read no longer for the time that its refusal names, without affecting the user’s other devices', async () => {
    await using own = await slowServer();
    const [fast, other] = [await own.device(), await own.device()];
    fast.socket.write(Buffer.concat(Array.from({ length: 5000 }, () => small)));
    await expect.poll(() => own.refusals()).toHaveLength(1);
    own.earn();
    other.socket.write(generate(publish({ topic: 'position' }), { protocolVersion: 5 }));
    await expect.poll(() => other.answers.slice(1)).toMatchObject([{ cmd: 'puback', reasonCode: 0x99 }]);
    expect(own.refusals()).toMatchObject([
      { device: fast.id, user: 'ann', request_id: expect.stringMatching(/^019a/) },
    ]);
    expect(fast.socket.closed).toBe(false);
  });

  test('is disconnected if the bytes that wait are too many of its user', async () => {
    vi.spyOn(mqttLimits, 'pausedBytes', 'get').mockReturnValue(5000);
    await using own = await slowServer();
    const fast = await own.device();
    const closed = once(fast.socket, 'close');
    fast.socket.write(Buffer.concat(Array.from({ length: 1000 }, () => small)));
    await closed;
    expect(fast.answers.slice(1)).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x96 }]);
  });

  testOnSqlite('with version 3.1.1, which has no refusal, gets its acknowledgements later', async () => {
    const one = await member('producer');
    const client = await connect(one, 4);
    const all = Array.from({ length: 130 }, (_, n) => client.publishAsync('messages', String(n), { qos: 1 }));
    await Promise.all(all);
    expect(await ann.get<Message[]>(`/resources/${one.id}/messages/sent?limit=200`)).toHaveLength(130);
  });
});

testOnSqlite(
  'a client that disconnects and leaves data unread counts until its socket is closed, which is soon',
  async () => {
    const accepted = Promise.withResolvers<Socket>();
    const onAccepted = (message: unknown) => accepted.resolve((message as { socket: Socket }).socket);
    subscribe('net.server.socket', onAccepted);
    const socket = createConnection({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.write(generate(hello(await member('consumer')), { protocolVersion: 5 }));
    const ofServer = await accepted.promise;
    unsubscribe('net.server.socket', onAccepted);
    await expect.poll(() => ofServer.bytesWritten).toBeGreaterThan(0);
    // Until the system takes no more.
    while (ofServer.writableLength === 0) ofServer.write(Buffer.alloc(16_384));
    expect(ofServer.writableNeedDrain).toBe(false);
    socket.write(generate({ cmd: 'disconnect' }));
    await expect.poll(() => ofServer.writableEnded).toBe(true);
    expect([ofServer.closed, await connectionsOf(server.app)]).toEqual([false, 1]);
    await expect.poll(() => connectionsOf(server.app)).toBe(0);
    expect(ofServer.destroyed).toBe(true);
  },
);

testOnSqlite('a session of version 3.1.1 that is not clean is a new one, and other versions are refused', async () => {
  const one = await member('both');
  const client = await connect(one, 4, { clean: false, clientId: 'owntracks' });
  await client.publishAsync('messages', '1', { qos: 1 });
  const bye: Packet = { cmd: 'disconnect' };
  const session = await raw([hello(one, { protocolVersion: 4, clean: false, clientId: 'other' }), bye], 4);
  expect(session).toMatchObject([{ cmd: 'connack', returnCode: 0, sessionPresent: false }]);
  const unnamed = generate(hello(one, { protocolVersion: 4 }));
  // Not clean, which no client sends without an identifier.
  unnamed[9]! &= ~2;
  expect(await raw([unnamed], 4)).toMatchObject([{ cmd: 'connack', returnCode: 2 }]);
  const old = await raw([hello(one, { protocolVersion: 3, protocolId: 'MQIsdp', clientId: 'old' })], 4);
  expect(old).toMatchObject([{ cmd: 'connack', returnCode: 1 }]);
  const unknown = generate(hello(one, { protocolVersion: 4 }));
  unknown[8] = 6;
  expect(await raw([unknown], 4)).toMatchObject([{ cmd: 'connack', returnCode: 1 }]);
});

testOnSqlite('whatever packets arrive, damaged or not, the server reads them, and serves others', async () => {
  const one = await member('both');
  const valid = [
    publish(),
    { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'messages/#', qos: 1 }] },
    { cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['messages/#'] },
    { cmd: 'pingreq' },
    { cmd: 'puback', messageId: 3 },
    hello(one),
  ].map((packet) => generate(packet as Packet, { protocolVersion: 5 }));
  const damaged = fc
    .tuple(fc.constantFrom(...valid), fc.nat(), fc.nat(255))
    .map(([packet, at, byte]) => packet.with(at % packet.length, byte));
  const packets = fc.array(fc.oneof(damaged, fc.constantFrom(...valid), fc.uint8Array({ maxLength: 40 })), {
    minLength: 1,
    maxLength: 9,
  });
  await fc.assert(
    fc.asyncProperty(packets, fc.boolean(), async (sent, isKnown) => {
      const socket = createConnection({ port, host: '127.0.0.1' });
      socket.on('error', () => {}).on('data', () => {});
      socket.end(Buffer.concat([...(isKnown ? [valid.at(-1)!] : []), ...sent]));
      await once(socket, 'close');
    }),
    { numRuns: long ? 20_000 : 60 },
  );
  await expect.poll(() => connectionsOf(server.app)).toBe(0);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  server.wait(60_000);
  const client = await connect(one, 5);
  await client.publishAsync('messages', '1', { qos: 1 });
});

testOnSqlite('a client that is silent for longer than it said is disconnected', async () => {
  const one = await member('both');
  const startedAt = performance.now();
  const answers = await raw([hello(one, { keepalive: 1 })]);
  expect(answers.at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8d });
  expect(performance.now() - startedAt).toBeGreaterThan(1400);
});

test('the port of MQTT answers no browser, and takes no packet from the body of a form', async () => {
  const { id, key } = await member('producer');
  const packets = Buffer.concat([
    generate({
      cmd: 'connect',
      protocolVersion: 4,
      clientId: '',
      clean: true,
      username: id,
      password: Buffer.from(key),
    }),
    generate({
      cmd: 'publish',
      topic: 'messages',
      payload: '{"planted":true}',
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    }),
  ]);
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const socket = createConnection({ host: '127.0.0.1', port });
    const received: Buffer[] = [];
    socket.on('data', (bytes) => received.push(bytes));
    socket.write(`${method} / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${packets.length}\r\n\r\n`);
    socket.write(packets);
    await once(socket, 'close');
    expect(Buffer.concat(received).toString()).toBe('');
  }
  expect(await sentBy(id)).toEqual([]);
});

test('a device that is handed over is disconnected from another process, and its will is not sent', async () => {
  await using process = await another();
  const heir = await signUpClient(server, 'heir');
  const { id, key } = await member('producer');
  const device = await ann.get<Resource>(`/resources/${id}`);
  const client = await connectMqtt({
    port: process.port,
    protocolVersion: 5,
    username: id,
    password: key,
    will: { topic: 'messages', payload: Buffer.from('"will"') },
  });
  const closed = new Promise<void>((resolve) => void client.once('close', resolve));
  expect((await ann.offerDevice(device, 'heir')).status).toBe(200);
  expect((await heir.takeOverDevice(device, 'heir')).status).toBe(204);
  await closed;
  expect(await heir.get<Message[]>(`/resources/${id}/messages/sent`)).toEqual([]);
  expect(await heir.get(`/resources/${id}/refusals`)).not.toHaveProperty('refused');
  await client.endAsync(true);
});
