/**
 * `npm run bench -- messages`: sending messages against creating devices and THE LIMIT, in one run, in alternating order; the
 * time to a receiver; one sender and many receivers, and the other way round; idle receivers; another user's reads beside
 * each of these. Prints tables; asserts nothing. `STORE=postgres`: on PostgreSQL, with a second process for receivers.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import {
  each,
  machine,
  median,
  memory,
  percentile,
  post,
  signUp,
  sleep,
  start,
  startSwarmdeck,
  stop,
} from './harness.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 3);
const many = Number(process.env['MANY'] ?? 1000);
const idle = Number(process.env['IDLE'] ?? 10_000);
const connections = 64;
const streamsOfDevice = 4;
const databaseUrl = process.env['DATABASE_URL'];

const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const limit = await start('e2e/perf/limit-server.ts', [databaseUrl ?? join(folder, 'limit.db')], {}, /^(\d+)$/);
await using swarmdeck = await startSwarmdeck();
await using second = databaseUrl ? await startSwarmdeck() : undefined;
const { origin } = swarmdeck;
const ann = await signUp(origin, 'bench-ann');
const other = await signUp(origin, 'bench-other');
const json = { 'content-type': 'application/json' };

async function make(path: string, body: object, user = ann): Promise<string> {
  return ((await (await post(`${origin}/service${path}`, user.key, body)).json()) as { id: string }).id;
}
const newDevice = (user = ann) => make('/resources', { name: 'Sensor', machine_type: 'bug' }, user);
const newSwarm = () => make('/swarms', { name: 'Ring', description: '' });
async function add(swarm: string, devices: readonly string[], resource_type: string) {
  const path = `${origin}/service/swarms/${swarm}/resources`;
  await each(devices, (resource_id) => post(path, ann.key, { resource_id, resource_type }));
}
const devicesOf = (count: number) => each(Array.from({ length: count }), () => newDevice());
const pathOf = (device: string) => `/service/resources/${device}/messages`;

/** A receiver on a plain socket. `onMessage` gets the payload of each message: when it was sent. */
function receive(device: string, onMessage: (sentAt: number) => void, to = swarmdeck.port) {
  const socket = connect(to, '127.0.0.1');
  const opened = Promise.withResolvers<void>();
  let rest = '';
  socket.setEncoding('latin1').on('error', opened.reject);
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('id: ')) opened.resolve();
      // The payload is the last field.
      if (line.startsWith('data: ')) onMessage(Number(line.slice(line.lastIndexOf(':') + 1, -1)));
    }
  });
  const headers = { host: 'bench', accept: 'text/event-stream', 'x-serviceapikey': ann.key['x-serviceapikey']! };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathOf(device)} HTTP/1.1\r\n${head.join('')}\r\n`);
  return { opened: opened.promise, close: () => void socket.destroy() };
}
const openAll = async (receivers: ReturnType<typeof receive>[]) => {
  await Promise.all(receivers.map(({ opened }) => opened));
  return () => receivers.forEach(({ close }) => close());
};

/** Sends on a connection of its own, without waiting for the response of the last message. `fetch` would be busier than the server. */
function openSender(device: string) {
  const socket = connect(swarmdeck.port, '127.0.0.1');
  let answers = 0;
  socket.on('data', (chunk) => {
    for (let at = chunk.indexOf('HTTP/1.1 201'); at !== -1; at = chunk.indexOf('HTTP/1.1 201', at + 1)) answers += 1;
  });
  const head = Object.entries({ host: 'bench', ...ann.key }).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `POST ${pathOf(device)} HTTP/1.1\r\n${head.join('')}content-length: `;
  return {
    send(payload: number) {
      const body = `{"payload":${payload}}`;
      socket.write(`${start}${body.length}\r\n\r\n${body}`);
    },
    answers: () => answers,
    close: () => void socket.destroy(),
  };
}

/** Requests in a second, of 64 connections with an address each. */
async function load(urls: string[], body: object, headers: Record<string, string> = json): Promise<number> {
  const common = { method: 'POST' as const, connections: 1, duration: seconds, headers, body: JSON.stringify(body) };
  const results = await Promise.all(
    Array.from({ length: connections }, (_, index) => autocannon({ ...common, url: urls[index % urls.length]! })),
  );
  for (const { non2xx, errors, url } of results)
    if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} failed, ${errors} errors`);
  return results.reduce((sum, { requests, duration }) => sum + requests.total / duration, 0);
}
const sendAs = (devices: string[]) =>
  load(
    devices.map((device) => origin + pathOf(device)),
    { payload: { temperature: 21.5, humidity: 40 } },
    ann.key,
  );

/** The p95 of another user's reads, one after the other, while `act` runs. They have a process of their own, because this one is busy. */
const own = await newDevice(other);
async function beside<T>(act: () => Promise<T>, url = `${origin}/service/resources/${own}`) {
  const reader = fork(join(import.meta.dirname, 'point-reads.process.ts'), [url, other.key['x-serviceapikey']!]);
  await once(reader, 'message');
  const result = await act();
  const responded = once(reader, 'message');
  reader.send('stop');
  const [times] = (await responded) as [number[]];
  return { result, p95: percentile(times, 0.95) };
}
const alone = (await beside(() => sleep(2000))).p95;
const read = (p95: number) => `another user’s GET: p95 ${p95.toFixed(1)} ms, ${(p95 / alone).toFixed(1)} of alone`;
/** Then beside the same load a GET of THE LIMIT, which does nothing else: how much of the time is that of the busy cores. */
async function readBeside(act: () => Promise<number>) {
  const { p95, result: ms } = await beside(act);
  const bare = await beside(act, `http://127.0.0.1:${limit.found}/one`);
  return { ms, text: `${read(p95)}; of THE LIMIT, which is idle: p95 ${bare.p95.toFixed(1)} ms` };
}

console.log(`${machine()}, ${rounds} rounds of ${seconds} s, ${connections} connections\n`);

// 1. throughput
const station = { name: 'Durable', machine_type: 'bug', position: { longitude: 12.296, latitude: 52.924 } };
const [silent, heard] = [await newSwarm(), await newSwarm()];
const [senders, heardSenders, listeners] = [
  await devicesOf(connections),
  await devicesOf(connections),
  await devicesOf(8),
];
await add(silent, senders, 'producer');
await add(heard, heardSenders, 'producer');
await add(heard, listeners, 'consumer');
const targets = {
  'THE LIMIT': () => load([`http://127.0.0.1:${limit.found}/`], station),
  'POST /resources': () => load([`${origin}/service/resources`], station, ann.key),
  'messages of 64 senders': () => sendAs(senders),
  'the same, with 8 receivers': async () => {
    const close = await openAll(listeners.map((device) => receive(device, () => {})));
    return sendAs(heardSenders).finally(close);
  },
};
const measured = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  const entries = Object.entries(targets);
  for (const [name, act] of round % 2 === 0 ? entries : entries.toReversed()) measured.get(name)!.push(await act());
}
console.log('| what | per second | of POST /resources | of THE LIMIT |\n|---|---|---|---|');
for (const [name, values] of measured) {
  const of = (base: string) => median(values.map((value, round) => value / measured.get(base)![round]!)).toFixed(2);
  console.log(`| ${name} | ${Math.round(median(values))} | ${of('POST /resources')} | ${of('THE LIMIT')} |`);
}

// 2. the time to a receiver, at half of that rate
const perSecond = median(measured.get('the same, with 8 receivers')!) / 2;
for (const [where, port] of [
  ['on the same process', swarmdeck.port],
  ...(second ? ([['on another process', second.port]] as const) : []),
] as const) {
  const times: number[] = [];
  const close = await openAll(
    listeners.map((device) => receive(device, (sentAt) => times.push(performance.now() - sentAt), port)),
  );
  let sent = 0;
  const opened = heardSenders.map(openSender);
  const { p95 } = await beside(async () => {
    const from = performance.now();
    for (; performance.now() - from < seconds * 1000; await sleep(4))
      for (; sent < ((performance.now() - from) / 1000) * perSecond; sent++)
        opened[sent % opened.length]!.send(performance.now());
    await sleep(1000);
  });
  const answers = opened.reduce((sum, sender) => sum + sender.answers(), 0);
  if (answers !== sent) throw new Error(`${sent - answers} of ${sent} messages were not sent`);
  opened.forEach((sender) => sender.close());
  close();
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
  console.log(
    `\nA receiver ${where}, ${Math.round(sent / seconds)} messages a second: p50 ${p50} ms, p99 ${p99} ms; ` +
      `${times.length} of ${sent * listeners.length} delivered; ${read(p95)}`,
  );
}

// 3. one to many, many to one
const untilDelivered = async (isDelivered: () => boolean) => {
  for (let waited = 0; !isDelivered() && waited < 20_000; waited += 20) await sleep(20);
};
{
  const swarm = await newSwarm();
  const [sender] = (await devicesOf(1)) as [string];
  const receivers = await devicesOf(many);
  await add(swarm, [sender], 'producer');
  await add(swarm, receivers, 'consumer');
  let [sent, delivered] = [0, 0];
  const close = await openAll(receivers.map((device) => receive(device, () => (delivered += 1))));
  const amount = 200;
  const { ms, text } = await readBeside(async () => {
    const from = performance.now();
    for (let n = 0; n < amount; n++, sent++) await post(`${origin}${pathOf(sender)}`, ann.key, { payload: 1 });
    await untilDelivered(() => delivered === sent * many);
    return performance.now() - from;
  });
  close();
  const each = ((ms * 1000) / (amount * many)).toFixed(0);
  console.log(`\nOne sender to ${many} receivers: ${delivered} of ${sent * many} delivered, ${each} µs each; ${text}`);
}
{
  const swarm = await newSwarm();
  const some = await devicesOf(many);
  const [receiver] = (await devicesOf(1)) as [string];
  await add(swarm, some, 'producer');
  await add(swarm, [receiver], 'consumer');
  let [sent, delivered] = [0, 0];
  const close = await openAll([receive(receiver, () => (delivered += 1))]);
  const times = 10;
  const { ms, text } = await readBeside(async () => {
    const from = performance.now();
    for (let time = 0; time < times; time++, sent += many)
      await each(some, (device) => post(`${origin}${pathOf(device)}`, ann.key, { payload: 1 }), connections);
    await untilDelivered(() => delivered === sent);
    return performance.now() - from;
  });
  close();
  const perSecond = Math.round((times * many * 1000) / ms);
  console.log(`${many} senders to one receiver: ${delivered} of ${sent} delivered, ${perSecond} a second; ${text}`);
}

// 4. idle receivers
{
  const swarm = await newSwarm();
  const devices = await devicesOf(Math.ceil(idle / streamsOfDevice));
  await add(swarm, devices, 'consumer');
  await sleep(1000);
  const before = memory(swarmdeck.pid);
  const all = devices.flatMap((device) => Array.from({ length: streamsOfDevice }, () => device));
  const receivers: ReturnType<typeof receive>[] = [];
  for (let from = 0; from < all.length; from += 200) {
    const some = all.slice(from, from + 200).map((device) => receive(device, () => {}));
    receivers.push(...some);
    await Promise.all(some.map(({ opened }) => opened));
  }
  await sleep(2000);
  const used = memory(swarmdeck.pid) - before;
  const { p95 } = await beside(() => sleep(2000));
  console.log(`${all.length} idle receivers: ${Math.round(used)} MB more; ${read(p95)}`);
  receivers.forEach(({ close }) => close());
}

await stop(limit.child);
rmSync(folder, { recursive: true });
