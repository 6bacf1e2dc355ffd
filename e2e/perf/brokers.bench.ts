/**
 * `npm run bench -- brokers`: durable messages of the server beside those of what a team would use instead, with the same
 * client programs: Redis streams that wait for the disk, RabbitMQ's durable queues by MQTT, and THE LIMIT, a bare `node:http` server
 * that writes the messages of a moment in one commit. One sender, 64 senders, and 200 messages a second. Redis and RabbitMQ are those of
 * Debian (packages `redis-server`, `rabbitmq-server`); without them, it says so. Prints tables; asserts nothing.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../.tools/free-port.ts';
import { machine, median, percentile, sleep, start, startSwarmdeck, stop } from './harness.ts';
import { packet, textOf } from './mqtt-packets.ts';
import {
  connected,
  created,
  httpRequest,
  many,
  measure,
  openMqtt,
  payload,
  sender,
  swarmdeckByBothWays,
  type Broker,
  type Measured,
} from './senders.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const seconds = Number(process.env['SECONDS'] ?? 4);
const slowRate = 200;
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-brokers-'));

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

const brokers = [await limitServer(), ...(await swarmdeckByBothWays(await startSwarmdeck()))];
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
        const one = await measure({ broker, senders, seconds, rate });
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
