/**
 * `npm run bench -- brokers`: durable messages of the server beside those of what a team would use instead, with the same
 * client programs: Redis streams that wait for the disk, RabbitMQ's durable queues by MQTT, and THE LIMIT, a bare `node:http` server
 * that writes the messages of a moment in one commit. One sender, 64 senders, and 200 messages a second. Redis and RabbitMQ are those of
 * Debian (packages `redis-server`, `rabbitmq-server`); without them, it says so. Prints tables; asserts nothing.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../.tools/free-port.ts';
import {
  machine,
  median,
  percentile,
  post,
  processorSeconds,
  send,
  signUp,
  sleep,
  start,
  startSwarmdeck,
  stop,
} from './harness.ts';
import { connectPacket, packet, textOf } from './mqtt-packets.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const seconds = Number(process.env['SECONDS'] ?? 4);
const many = 64;
const slowRate = 200;
const payload = '{"temperature":21.5,"humidity":40}';
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-brokers-'));

interface Device {
  id: string;
  key: string;
}

/** One system. `open` connects sender number `index`, which sends a message and resolves when it is acknowledged as stored. */
interface Broker {
  name: string;
  pid: number;
  open(index: number): Promise<{ send(): Promise<void>; close(): void }>;
  stop(): Promise<void>;
}

/** Sends `request` each time; an answer is one chunk that begins with `expected`. */
function sender(socket: Socket, request: Buffer, expected: Buffer) {
  socket.setNoDelay(true);
  return {
    async send() {
      socket.write(request);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      if (!answer.subarray(0, expected.length).equals(expected)) throw new Error(answer.toString('latin1'));
    },
    close: () => void socket.destroy(),
  };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function httpRequest(path: string, body: string, headers: Record<string, string> = {}): Buffer {
  const head = { host: 'bench', 'content-type': 'application/json', ...headers, 'content-length': `${body.length}` };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
const created = Buffer.from('HTTP/1.1 201');

const publication = packet(0x32, textOf('messages'), Buffer.from([0, 1]), Buffer.from(payload));
async function openMqtt(port: number, connection: Buffer) {
  const socket = await connected(port);
  socket.write(connection);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[0] !== 0x20 || answer[3] !== 0) throw new Error(`refused: ${answer.toString('hex')}`);
  return sender(socket, publication, Buffer.from([0x40]));
}

async function limitServer(): Promise<Broker> {
  const { child, found } = await start(
    'e2e/perf/limit-server.ts',
    [process.env['DATABASE_URL'] ?? join(folder, 'limit.db')],
    {},
    /^(\d+)$/,
  );
  const request = httpRequest('/messages', `{"payload":${payload}}`);
  return {
    name: 'THE LIMIT: node:http, one commit for all that wait',
    pid: child.pid!,
    open: async () => sender(await connected(Number(found)), request, created),
    stop: () => stop(child),
  };
}

/** 64 devices that send to one swarm, with a key each. */
async function swarmdeckByBothWays(): Promise<Broker[]> {
  const swarmdeck = await startSwarmdeck();
  const { origin, port, pid } = swarmdeck;
  const ann = await signUp(origin, 'bench-ann');
  const make = async (path: string, body: object) =>
    ((await (await post(`${origin}/service${path}`, ann.key, body)).json()) as { id: string }).id;
  const swarm = await make('/swarms', { name: 'Ring', description: '' });
  const ids: string[] = [];
  while (ids.length < many) {
    const id = await make('/resources', { name: 'Sensor', machine_type: 'bug' });
    await post(`${origin}/service/swarms/${swarm}/resources`, ann.key, { resource_id: id, resource_type: 'producer' });
    ids.push(id);
  }
  const made = await post(`${origin}/api/devices/keys`, ann.session, { resource_ids: ids });
  const { items } = (await made.json()) as { items: { device: { id: string }; key: string }[] };
  const devices: Device[] = items.map(({ device, key }) => ({ id: device.id, key }));
  const keys = await send('GET', `${origin}/api/devices/${devices[0]!.id}/keys`, ann.session);
  const mqttPort = Number(new URL(((await keys.json()) as { mqtt: string }).mqtt).port);
  const requestOf = ({ id, key }: Device) =>
    httpRequest(`/service/resources/${id}/messages`, `{"payload":${payload}}`, { 'x-serviceapikey': key });
  return [
    {
      name: 'Swarmdeck, HTTP',
      pid,
      open: async (index) => sender(await connected(port), requestOf(devices[index]!), created),
      stop: async () => swarmdeck[Symbol.asyncDispose](),
    },
    {
      name: 'Swarmdeck, MQTT',
      pid,
      open: async (index) => openMqtt(mqttPort, connectPacket(devices[index]!)),
      stop: async () => {},
    },
  ];
}

/** A stream, whose file is written to the disk before each answer. */
async function redis(): Promise<Broker | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const settings = {
    port: `${port}`,
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    bind: '127.0.0.1',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  await answers(port);
  const parts = ['XADD', 'messages', 'MAXLEN', '~', '10000', '*', 'payload', payload];
  const command = Buffer.from(`*${parts.length}\r\n${parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`);
  return {
    name: 'Redis streams, appendfsync always',
    pid: child.pid!,
    open: async () => sender(await connected(port), command, Buffer.from('$')),
    stop: () => stop(child),
  };
}

/** Its plugin for MQTT puts messages of quality 1 into the durable queue of a session, here of a client that is not connected. */
async function rabbitmq(): Promise<Broker | undefined> {
  const home = '/usr/lib/rabbitmq/bin';
  if (!existsSync(join(home, 'rabbitmq-server'))) return undefined;
  const [amqp, mqtt, dist] = [await freePort(), await freePort(), await freePort()];
  const config = join(folder, 'rabbitmq.conf');
  writeFileSync(
    config,
    `listeners.tcp.1 = 127.0.0.1:${amqp}\nmqtt.listeners.tcp.1 = 127.0.0.1:${mqtt}\nmqtt.allow_anonymous = true\n`,
  );
  writeFileSync(join(folder, 'plugins'), '[rabbitmq_mqtt].');
  const env = {
    ...process.env,
    HOME: folder,
    RABBITMQ_NODENAME: 'bench@localhost',
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'rabbitmq'),
    RABBITMQ_LOG_BASE: join(folder, 'rabbitmq-logs'),
    RABBITMQ_PID_FILE: join(folder, 'rabbitmq.pid'),
    RABBITMQ_DIST_PORT: `${dist}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
  const child = spawn(join(home, 'rabbitmq-server'), { env, stdio: 'ignore' });
  await answers(mqtt);
  // a session that stays, and receives what is sent
  const socket = await connected(mqtt);
  const withoutClean = Buffer.from([4, 0, 0, 60]);
  socket.write(packet(0x10, textOf('MQTT'), withoutClean, textOf('receiver')));
  await once(socket, 'data');
  socket.write(packet(0x82, Buffer.from([0, 1]), textOf('messages'), Buffer.from([1])));
  await once(socket, 'data');
  socket.end(packet(0xe0));
  const clean = Buffer.from([4, 2, 0, 0]);
  return {
    name: 'RabbitMQ, durable queue, by MQTT',
    pid: beamOf(child),
    open: async (index) => openMqtt(mqtt, packet(0x10, textOf('MQTT'), clean, textOf(`sender-${index}`))),
    stop: async () => {
      process.kill(beamOf(child), 'SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Erlang's process, which the starting script has started. */
function beamOf(child: ChildProcess): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parentOf = (pid: string) => {
    try {
      return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    } catch {
      return undefined; // it has ended
    }
  };
  const nameOf = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  const all = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const below = (pid: string): boolean =>
    pid === `${child.pid}` || (all.get(pid) !== undefined && below(all.get(pid)!));
  const found = [...all.keys()].find((pid) => below(pid) && nameOf(pid) === 'beam.smp');
  if (found === undefined) throw new Error('RabbitMQ does not run');
  return Number(found);
}

/** Waits until something listens. */
async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    try {
      return void (await connected(port)).destroy();
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`nothing listens on ${port}`);
}

interface Measured {
  rate: number;
  /** µs of processor time for each message */
  cost: number;
  times: number[];
}

/** As fast as `senders` can, each waiting for the answer to its last message; or `rate` messages a second of one of them after the other. */
async function measure(broker: Broker, senders: number, rate?: number): Promise<Measured> {
  const open = await Promise.all(Array.from({ length: senders }, (_, index) => broker.open(index)));
  const times: number[] = [];
  const before = processorSeconds(broker.pid);
  const from = performance.now();
  const until = from + seconds * 1000;
  const sendOnce = async ({ send }: (typeof open)[number]) => {
    const sentAt = performance.now();
    await send();
    times.push(performance.now() - sentAt);
  };
  if (rate === undefined) {
    await Promise.all(
      open.map(async (one) => {
        while (performance.now() < until) await sendOnce(one);
      }),
    );
  } else {
    for (let sent = 0; performance.now() < until; sent++) {
      const due = from + (sent / rate) * 1000;
      if (due > performance.now()) await sleep(due - performance.now());
      await sendOnce(open[sent % senders]!);
    }
  }
  const took = (performance.now() - from) / 1000;
  const cost = ((processorSeconds(broker.pid) - before) / times.length) * 1e6;
  open.forEach(({ close }) => close());
  return { rate: times.length / took, cost, times };
}

const brokers = [await limitServer(), ...(await swarmdeckByBothWays())];
for (const [name, startBroker] of Object.entries({ Redis: redis, RabbitMQ: rabbitmq })) {
  const broker = await startBroker();
  if (broker) brokers.push(broker);
  else console.log(`${name} is not installed: without it.`);
}

console.log(`${machine()}, ${rounds} rounds of ${seconds} s; CPU: processor time of the server for a message\n`);
try {
  for (const [title, senders, rate] of [
    ['one sender', 1, undefined],
    [`${many} senders`, many, undefined],
    [`${slowRate} messages a second`, many, slowRate],
  ] as const) {
    const measured = new Map<string, Measured[]>(brokers.map(({ name }) => [name, []]));
    for (let round = 0; round <= rounds; round++)
      for (const broker of round % 2 === 0 ? brokers : brokers.toReversed()) {
        const one = await measure(broker, senders, rate);
        // the first round warms up
        if (round > 0) measured.get(broker.name)!.push(one);
      }
    console.log(`| ${title} | a second | of THE LIMIT | CPU | of THE LIMIT | p50, p99 |\n|---|---|---|---|---|---|`);
    const limits = measured.get(brokers[0]!.name)!;
    for (const [name, all] of measured) {
      const of = (part: 'rate' | 'cost') =>
        median(all.map((one, round) => one[part] / limits[round]![part])).toFixed(2);
      const times = all.flatMap((one) => one.times);
      const [p50, p99] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
      console.log(
        `| ${name} | ${Math.round(median(all.map((one) => one.rate)))} | ${of('rate')} | ` +
          `${Math.round(median(all.map((one) => one.cost)))} µs | ${of('cost')} | ${p50}, ${p99} ms |`,
      );
    }
    console.log('');
  }
} finally {
  for (const broker of brokers.toReversed()) await broker.stop();
  rmSync(folder, { recursive: true });
}
