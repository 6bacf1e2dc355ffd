/**
 * Messages while the server is killed again and again, sent and received over HTTP and by MQTT: a receiver that resumes gets
 * every acknowledged message exactly once, and all receivers in one order.
 */
import { setTimeout as wait } from 'node:timers/promises';
import mqtt from 'mqtt';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../../.tools/free-port.ts';
import { startPostgres, type PostgresServer } from '../../../.tools/postgres.ts';
import * as capabilities from '../capabilities.ts';
import type { CreatedApiKey, Message, Resource, Swarm } from '../contract.ts';
import { createRandom } from './durability.fixture.ts';
import { receive } from './messages.fixture.ts';
import { createSender, long, recordFigure, seed, startServer, temporaryDataDir, type Send } from './process.fixture.ts';
import { createClient } from './restart.fixture.ts';

const kills = long ? 10 : 2;
const betweenMs = long ? 8000 : 700;
const senders = 8;

let postgres: PostgresServer | undefined;
afterAll(() => postgres?.stop());

interface Process {
  origin: string;
  mqtt: string;
  send: Send;
  isAlive: boolean;
  kill: () => Promise<void>;
  /** Ends it, and returns its log: the only place that says why it answered with 500. */
  log: () => Promise<string>;
  start: () => Promise<void>;
}

async function processOn(env: Record<string, string>): Promise<Process & AsyncDisposable> {
  const folder = temporaryDataDir();
  const PORT = String(await freePort());
  const MQTT = `127.0.0.1:${await freePort()}`;
  const launch = () => startServer({ ...folder, env: { PORT, MQTT, ...env } });
  let server = await launch();
  const origin = `http://127.0.0.1:${PORT}`;
  const process: Process = {
    origin,
    mqtt: `mqtt://${MQTT}`,
    send: createSender(origin),
    isAlive: true,
    async kill() {
      process.isAlive = false;
      await server.end('SIGKILL');
    },
    log: async () => (await server.end('SIGKILL')).stderr,
    async start() {
      server = await launch();
      process.send = createSender(origin);
      process.isAlive = true;
    },
  };
  return Object.assign(process, {
    async [Symbol.asyncDispose]() {
      await server.end('SIGKILL');
      folder[Symbol.dispose]();
    },
  });
}

interface Device {
  id: string;
  key: string;
  keyId: string;
}

/** Rejects if the server ends the connection before it answers; without `false`, such a promise never settles. */
function connect(url: string, { id, key }: Device, protocolVersion: 4 | 5 = 5) {
  const options = { protocolVersion, username: id, password: key, reconnectPeriod: 0, connectTimeout: 5000 };
  return mqtt.connectAsync(url, options, false);
}

/** MQTT is a capability, which can be deleted. */
const hasMqtt = 'mqtt' in capabilities;

/** As `receive`, by MQTT. */
async function subscribe(url: string, device: Device, after: string) {
  const client = await connect(url, device);
  const messages: Received[] = [];
  client.on('error', () => {});
  client.on('message', (_, payload, { properties }) => {
    messages.push({
      id: String(properties?.userProperties?.['id']),
      payload: JSON.parse(payload.toString()) as unknown,
    });
  });
  const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const since = { userProperties: { since: after } };
  await Promise.race([ended, client.subscribeAsync('messages/#', { qos: 0, properties: since })]);
  const lastId = () => messages.at(-1)?.id ?? after;
  return { status: 200, messages, ended, lastId, close: () => void client.end(true) };
}
type Received = Pick<Message, 'id' | 'payload'>;

const stores = {
  'one process on SQLite': async () => [await processOn({})],
  'three processes on PostgreSQL, of which one is killed': async () => {
    postgres = await startPostgres();
    const env = {
      DATABASE_URL: postgres.url,
      SECRET: 'a secret that all processes share, of 32 and more characters',
      PUBLIC_URL: 'http://devices.example.org',
    };
    const first = await processOn(env);
    return [first, ...(await Promise.all([processOn(env), processOn(env)]))];
  },
};

test.each(Object.entries(stores))('%s', async (store, start) => {
  const random = createRandom(seed);
  const processes = await start();
  await using stack = new AsyncDisposableStack();
  for (const each of processes) stack.use(each);
  const alive = () => {
    const some = processes.filter(({ isAlive }) => isAlive);
    return some[Math.floor(random() * some.length)];
  };
  const send: Send = (asked) => processes[0]!.send(asked);
  const ann = await createClient({ send, name: 'ann' });
  const make = async <T>(path: string, body: object): Promise<T> => {
    const answer = await ann.request({ method: 'POST', path, body });
    return JSON.parse(answer.body) as T;
  };
  const swarm = await make<Swarm>('/swarms', { name: 'Ring', description: '' });
  const device = async (resource_type: string) => {
    const { id } = await make<Resource>('/resources', { name: 'Sensor', machine_type: 'bug' });
    await make(`/swarms/${swarm.id}/resources`, { resource_id: id, resource_type });
    const keys = { method: 'POST', path: `/devices/${id}/keys`, body: { name: 'k' }, entryPoint: 'browser' } as const;
    const made = await ann.request(keys);
    const { key, id: keyId } = JSON.parse(made.body) as CreatedApiKey;
    return { id, key, keyId };
  };
  const producers = await Promise.all(Array.from({ length: senders }, () => device('producer')));
  const consumers = await Promise.all([device('consumer'), device('consumer')]);

  /** One second after the answer of one process, the others deliver nothing more. */
  async function expectRemovalsElsewhere() {
    const [here, there] = processes as Process[] as [Process, Process];
    const [sender] = producers as [(typeof producers)[number]];
    const [witness, removed] = consumers;
    const path = `/service/resources/${sender.id}/messages`;
    const open = ({ id, key }: typeof removed) => receive(there.origin, { key, device: id });
    const [all, receiver] = [await open(witness), await open(removed)];
    await Promise.all([all.caughtUp, receiver.caughtUp]);
    const say = async (payload: string) => {
      const answer = await here.send({
        method: 'POST',
        path,
        headers: { 'x-serviceapikey': sender.key },
        body: { payload },
      });
      expect(answer.status).toBe(201);
      await all.until((messages) => messages.at(-1)?.payload === payload);
    };
    for (let n = 0; n < (long ? 100 : 3); n++) {
      await say(`before ${n}`);
      await receiver.until((messages) => messages.at(-1)?.payload === `before ${n}`);
      const member = `/swarms/${swarm.id}/resources`;
      const { status } = await ann.request({ method: 'DELETE', path: `${member}/${removed.id}` });
      expect(status).toBe(204);
      await wait(1000);
      await say(`after ${n}`);
      await make(member, { resource_id: removed.id, resource_type: 'consumer' });
      await wait(1000);
    }
    await say('last');
    await receiver.until((messages) => messages.at(-1)?.payload === 'last');
    expect(receiver.messages.filter(({ payload }) => String(payload).startsWith('after'))).toEqual([]);
    all.close();
    receiver.close();
    if (!hasMqtt) return;
    const client = await connect(there.mqtt, sender);
    const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
    const key = `/account/keys/${sender.keyId}`;
    const { status } = await ann.request({ method: 'DELETE', path: key, entryPoint: 'browser' });
    expect(status).toBe(204);
    // A revoked key ends its connection elsewhere; mqtt.http.test.ts says how soon.
    await ended;
  }

  let isOver = false;
  let isSent = false;
  const acknowledged = new Set<string>();
  let amount = 0;
  let ready = 0;
  /** Without a response, the message may be sent: the same id is the same message. */
  async function sendAll({ id, key }: (typeof producers)[number], index: number) {
    for (let n = 0; !isOver; n++) {
      const message_id = `${index}-${n}`;
      const body = { payload: message_id, message_id };
      for (;;) {
        const to = alive();
        const answer = await to
          ?.send({
            method: 'POST',
            path: `/service/resources/${id}/messages`,
            headers: { 'x-serviceapikey': key },
            body,
          })
          .catch(() => undefined);
        if (answer?.status === 201) {
          acknowledged.add(message_id);
          break;
        }
        if (answer !== undefined && answer.status !== 503) expect.fail(`${answer.body}\n${await to!.log()}`);
        if (isOver) return;
        await wait(20);
      }
      amount += 1;
    }
  }
  /** Its messages have no id of the client: the next one is sent if the acknowledgement was lost. */
  async function sendAllByMqtt(device: Device, index: number) {
    for (let n = 0; !isOver;) {
      const url = alive()?.mqtt;
      const client = url && (await connect(url, device, index % 4 === 1 ? 4 : 5).catch(() => undefined));
      if (!client) {
        await wait(20);
        continue;
      }
      client.on('error', () => {});
      const ended = new Promise<false>((resolve) => client.once('close', () => resolve(false)));
      for (let isStored = true; isStored && !isOver; n++) {
        const payload = `${index}-${n}`;
        const sent = client.publishAsync('messages', JSON.stringify(payload), { qos: 1 });
        isStored = await Promise.race([ended, sent.then(() => true).catch(() => false)]);
        if (!isStored) continue;
        acknowledged.add(payload);
        amount += 1;
      }
      client.end(true);
    }
  }
  const received: Received[][] = [[], []];
  async function receiveAll(device: Device, messages: Received[], index: number) {
    const { id: of, key } = device;
    const headers = { 'x-serviceapikey': key };
    const begin = await send({ path: `/service/resources/${of}/messages`, headers });
    let after = String(begin.headers['last-event-id']);
    ready += 1;
    // Others were stored without a response, so the number says nothing.
    const isMissing = () => {
      const ids = new Set(messages.map(({ payload }) => payload));
      return [...acknowledged].some((id) => !ids.has(id));
    };
    while (!isSent || isMissing()) {
      const from = alive();
      const open = (to: Process) =>
        index === 1 && hasMqtt ? subscribe(to.mqtt, device, after) : receive(to.origin, { key, device: of, after });
      const receiver = from && (await open(from).catch(() => undefined));
      if (!receiver || receiver.status !== 200) {
        await wait(20);
        continue;
      }
      // Resumes elsewhere after a while.
      await Promise.race([receiver.ended, wait(random() * 2 * betweenMs)]);
      receiver.close();
      messages.push(...receiver.messages);
      after = receiver.lastId();
    }
  }
  const receiving = consumers.map((each, index) => receiveAll(each, received[index]!, index));
  while (ready < consumers.length) await wait(20);
  const sending = producers.map((each, index) => (index % 2 === 0 || !hasMqtt ? sendAll : sendAllByMqtt)(each, index));
  for (let kill = 0; kill < kills; kill++) {
    await wait(betweenMs);
    const victim = alive()!;
    await victim.kill();
    if (processes.length > 1) await wait(betweenMs / 2);
    await victim.start();
  }
  await wait(500);
  isOver = true;
  await Promise.all(sending);
  isSent = true;
  await Promise.all(receiving);
  for (const messages of received) {
    const ids = messages.map(({ payload }) => String(payload));
    expect(new Set(ids).size, 'none twice').toBe(ids.length);
    expect(
      [...acknowledged].filter((id) => !ids.includes(id)),
      'none lost',
    ).toEqual([]);
    for (let index = 0; index < senders; index++) {
      const own = ids.filter((id) => id.startsWith(`${index}-`)).map((id) => Number(id.split('-')[1]));
      expect(own, 'in the order of their sender').toEqual(own.toSorted((a, b) => a - b));
    }
  }
  expect(received[1]!.map(({ id }) => id)).toEqual(received[0]!.map(({ id }) => id));
  expect(amount).toBeGreaterThan(0);
  if (processes.length > 1) await expectRemovalsElsewhere();
  recordFigure(`messages, ${store}, ${kills} kills: ${acknowledged.size} acknowledged, none lost, none twice`);
});
