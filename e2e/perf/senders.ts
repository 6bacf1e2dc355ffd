/** Durable messages of devices, as fast as they are acknowledged, or at a rate: for the benches that compare what they cost. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { post, processorSeconds, send, signUp, sleep, type Swarmdeck } from './harness.ts';
import { connectPacket, packet, textOf } from './mqtt-packets.ts';

export const many = 64;
export const payload = '{"temperature":21.5,"humidity":40}';

interface Device {
  id: string;
  key: string;
}

/** One system. `open` connects sender number `index`, which sends a message and resolves when it is acknowledged as stored. */
export interface Broker {
  name: string;
  pid: number;
  open(index: number): Promise<{ send(): Promise<void>; close(): void }>;
  stop(): Promise<void>;
}

/** Sends `request` each time; an answer is one chunk that begins with `expected`. */
export function sender(socket: Socket, request: Buffer, expected: Buffer) {
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

export async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

export function httpRequest(path: string, body: string, headers: Record<string, string> = {}): Buffer {
  const head = { host: 'bench', 'content-type': 'application/json', ...headers, 'content-length': `${body.length}` };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
export const created = Buffer.from('HTTP/1.1 201');

const publication = packet(0x32, textOf('messages'), Buffer.from([0, 1]), Buffer.from(payload));
export async function openMqtt(port: number, connection: Buffer) {
  const socket = await connected(port);
  socket.write(connection);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[0] !== 0x20 || answer[3] !== 0) throw new Error(`refused: ${answer.toString('hex')}`);
  return sender(socket, publication, Buffer.from([0x40]));
}

/** 64 devices that send to one swarm, with a key each. */
export async function swarmdeckByBothWays(swarmdeck: Swarmdeck): Promise<[http: Broker, mqtt: Broker]> {
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

export interface Measured {
  rate: number;
  /** µs of processor time for each message */
  cost: number;
  times: number[];
}

/** As fast as `senders` can, each waiting for the answer to its last message; or `rate` messages a second of one of them after the other. */
export async function measure(options: {
  broker: Broker;
  senders: number;
  seconds: number;
  rate?: number | undefined;
}): Promise<Measured> {
  const { broker, senders, seconds, rate } = options;
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
