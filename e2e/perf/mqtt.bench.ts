/**
 * `npm run bench -- mqtt`: durable messages by MQTT (quality 1) against HTTP with the same keys, in alternating order: their
 * rate, and the processor time of the server for each; then idle connections. Prints tables; asserts nothing.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  each,
  machine,
  median,
  memory,
  post,
  processorSeconds,
  send,
  signUp,
  sleep,
  startSwarmdeck,
} from './harness.ts';
import { connectPacket, packet, textOf } from './mqtt-packets.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 4);
const idle = Number(process.env['IDLE'] ?? 10_000);
const connections = 64;
const streamsOfDevice = 4;
const keysAtOnce = 500;

await using swarmdeck = await startSwarmdeck();
const { origin, pid } = swarmdeck;
const ann = await signUp(origin, 'bench-ann');
// A user has less than half of the connections of a process.
const ben = await signUp(origin, 'bench-ben');

interface Device {
  id: string;
  key: string;
}

interface CreatedKeys {
  items: { device: { id: string }; key: string }[];
}

/** Devices with a key each, all producers or consumers of one swarm. */
async function devicesOf(count: number, resource_type: string, user = ann): Promise<Device[]> {
  const make = async (path: string, body: object) =>
    ((await (await post(`${origin}/service${path}`, user.key, body)).json()) as { id: string }).id;
  const swarm = await make('/swarms', { name: 'Ring', description: '' });
  const ids = await each(Array.from({ length: count }), async () => {
    const id = await make('/resources', { name: 'Sensor', machine_type: 'bug' });
    await post(`${origin}/service/swarms/${swarm}/resources`, user.key, { resource_id: id, resource_type });
    return id;
  });
  const devices: Device[] = [];
  for (let from = 0; from < count; from += keysAtOnce) {
    const body = { resource_ids: ids.slice(from, from + keysAtOnce) };
    const made = (await (await post(`${origin}/api/devices/keys`, user.session, body)).json()) as CreatedKeys;
    devices.push(...made.items.map(({ device, key }) => ({ id: device.id, key })));
  }
  return devices;
}

const senders = await devicesOf(connections, 'producer');
const keys = (await (await send('GET', `${origin}/api/devices/${senders[0]!.id}/keys`, ann.session)).json()) as {
  mqtt: string;
};
const mqttPort = Number(new URL(keys.mqtt).port);

const payload = '{"temperature":21.5,"humidity":40}';
const publication = packet(0x32, textOf('messages'), Buffer.from([0, 1]), Buffer.from(payload));
const subscription = packet(0x82, Buffer.from([0, 1]), textOf('messages/#'), Buffer.from([0]));

/** Resolves when the server has answered with a packet of this kind. */
async function ask(socket: Socket, bytes: Buffer, kind: number) {
  socket.write(bytes);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[0]! !== kind) throw new Error(`an answer of kind ${answer[0]}`);
}

async function open(device: Device): Promise<Socket> {
  const socket = connect(mqttPort, '127.0.0.1');
  await ask(socket, connectPacket(device), 0x20);
  return socket;
}

/** Sends a message again and again when the last one is acknowledged. Returns their number. */
async function sendOn(socket: Socket, bytes: Buffer, isAnswer: (answer: Buffer) => boolean): Promise<number> {
  let sent = 0;
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    socket.write(bytes);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (!isAnswer(answer)) throw new Error(answer.toString());
    sent += 1;
  }
  socket.destroy();
  return sent;
}

const ways = {
  HTTP: ({ id, key }: Device) => {
    const head = { host: 'bench', 'x-serviceapikey': key, 'content-type': 'application/json' };
    const body = `{"payload":${payload}}`;
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    const path = `/service/resources/${id}/messages`;
    const request = `POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(swarmdeck.port, '127.0.0.1');
    return sendOn(socket, Buffer.from(request), (answer) => answer.toString('latin1').startsWith('HTTP/1.1 201'));
  },
  MQTT: async (device: Device) => sendOn(await open(device), publication, (answer) => answer[0] === 0x40),
};

console.log(`${machine()}, ${rounds} rounds of ${seconds} s, ${connections} connections\n`);
const measured = { HTTP: [], MQTT: [] } as Record<keyof typeof ways, { rate: number; cost: number }[]>;
for (let round = 0; round <= rounds; round++) {
  const names = ['HTTP', 'MQTT'] as const;
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const before = processorSeconds(pid);
    const sent = (await Promise.all(senders.map((device) => ways[name](device)))).reduce((sum, one) => sum + one, 0);
    const cost = ((processorSeconds(pid) - before) / sent) * 1e6;
    // The first round warms up.
    if (round > 0) measured[name].push({ rate: sent / seconds, cost });
  }
}
console.log('| way | messages a second | processor time of the server for each |\n|---|---|---|');
for (const [name, values] of Object.entries(measured)) {
  const costs = values.map(({ cost }) => cost);
  const range = `${Math.round(Math.min(...costs))} to ${Math.round(Math.max(...costs))}`;
  console.log(
    `| ${name} | ${Math.round(median(values.map(({ rate }) => rate)))} | ${Math.round(median(costs))} µs (${range}) |`,
  );
}
const costRatio = median(measured.MQTT.map(({ cost }, round) => cost / measured.HTTP[round]!.cost));
console.log(`\nMQTT costs ${costRatio.toFixed(2)} of HTTP (median of the rounds).`);

const half = Math.ceil(idle / 2 / streamsOfDevice);
const receivers = [...(await devicesOf(half, 'consumer')), ...(await devicesOf(half, 'consumer', ben))];
await sleep(2000);
const before = memory(pid);
const all = receivers.flatMap((device) => Array.from({ length: streamsOfDevice }, () => device));
const sockets = await each(
  all,
  async (device) => {
    const socket = await open(device);
    await ask(socket, subscription, 0x90);
    return socket;
  },
  64,
);
await sleep(3000);
const busy = processorSeconds(pid);
await sleep(10_000);
const share = (processorSeconds(pid) - busy) * 10;
const total = memory(pid);
console.log(
  `${sockets.length} idle connections that receive: ${Math.round(total - before)} MB more, ${Math.round(total)} MB in all, ` +
    `${share.toFixed(1)} % of a core`,
);
for (const socket of sockets) socket.destroy();
