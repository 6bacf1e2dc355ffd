/** Runs the code that the page of a device shows for its key, exactly as it is printed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { env as ownEnv, execPath } from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snippets } from '../../../web/src/features/keys/snippets.ts';
import type { CreatedApiKey, DeviceKeys, Message, Resource, Swarm } from '../contract.ts';
import { browse, startHttpServer, type Browser, type HttpTestServer } from './http-server.fixture.ts';

let server: HttpTestServer;
let ann: Browser;
let swarm: Swarm;
beforeAll(async () => {
  server = await startHttpServer({ hasMqtt: true });
  ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'correct horse battery', name: 'ann' });
  swarm = await read<Swarm>('POST', '/api/swarms', { name: 'River levels', description: '' });
});
afterAll(() => server[Symbol.asyncDispose]());

async function read<Body>(method: string, path: string, body?: object) {
  const answer = await ann.send(method, path, body);
  expect(answer.ok, `${method} ${path}`).toBe(true);
  return (await answer.json()) as Body;
}

/** A new member of the swarm, with a key. */
async function connect(resource_type: 'producer' | 'consumer') {
  const { id } = await read<Resource>('POST', '/api/resources', { name: resource_type, machine_type: 'bug' });
  await read('POST', `/api/swarms/${swarm.id}/resources`, { resource_id: id, resource_type });
  const { key } = await read<CreatedApiKey>('POST', `/api/devices/${id}/keys`, { name: 'sensor' });
  const { mqtt } = await read<DeviceKeys>('GET', `/api/devices/${id}/keys`);
  return { origin: server.url, id, key, mqtt };
}

const has = (command: string) => spawnSync(command, ['--version']).status === 0;
/** The last ones are replacements for curl and the clients of mosquitto, if there are none. */
const path = [dirname(execPath), ownEnv['PATH'], join(import.meta.dirname, 'bin')].join(':');
const programs = {
  curl: ['sh', '-c'],
  mqtt: ['sh', '-c'],
  javascript: [execPath, '--input-type=module', '-e'],
  ...(has('python3') && { python: ['python3', '-c'] }),
} as const;
const languages = Object.keys(programs) as (keyof typeof snippets.send & keyof typeof programs)[];

/** Starts the code. Its group is killed, because a shell may leave its program running. */
function start(language: (typeof languages)[number], code: string) {
  const [command, ...args] = programs[language]!;
  const child = spawn(command, [...args, code], { env: { ...ownEnv, PATH: path }, detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { ended: once(child, 'close'), said: () => said, kill: () => process.kill(-child.pid!, 'SIGKILL') };
}

test.each(languages)('the code in %s sends a message', async (language) => {
  const device = await connect('producer');
  const program = start(language, snippets.send[language](device));
  const [code] = (await program.ended) as [number];
  // The client of mosquitto says only what has failed.
  const said = language === 'mqtt' ? '' : (expect.stringContaining(swarm.id) as string);
  expect({ code, said: program.said() }).toEqual({ code: 0, said });
  const [sent] = await read<Message[]>('GET', `/api/resources/${device.id}/messages/sent`);
  expect(sent?.payload).toEqual({ temperature: 21.5 });
});

test.each(languages)('the code in %s receives messages', async (language) => {
  const [device, other] = [await connect('consumer'), await connect('producer')];
  const program = start(language, snippets.receive[language](device));
  try {
    let number = 0;
    // A stream begins with the next message.
    const heard = async () => {
      await read('POST', `/api/resources/${other.id}/messages`, { payload: { level: (number += 1) } });
      return program.said();
    };
    await expect
      // A device sends up to 20 messages a second.
      .poll(heard, { interval: 200 })
      .toContain('level');
  } finally {
    program.kill();
    await program.ended;
  }
});

test('the code for MQTT that receives connects again after the server has stopped', async () => {
  const [device, other] = [await connect('consumer'), await connect('producer')];
  await using proxy = await startMqttProxy(device.mqtt!);
  const program = start('mqtt', snippets.receive.mqtt({ ...device, mqtt: proxy.url }));
  try {
    const heard = async (level: string) => {
      await read('POST', `/api/resources/${other.id}/messages`, { payload: { level } });
      return program.said();
    };
    await expect.poll(() => heard('before'), { interval: 200 }).toContain('before');
    proxy.stopServer();
    await expect.poll(() => heard('after'), { interval: 200 }).toContain('after');
  } finally {
    program.kill();
    await program.ended;
  }
});

/** A proxy in front of the server, which can end the connections as a server that stops: it tells clients of version 5. */
async function startMqttProxy(target: string) {
  const { hostname, port } = new URL(target);
  const ends = new Set<() => void>();
  const proxy = createServer((client) => {
    const server = createConnection(Number(port), hostname);
    client.on('error', () => {}).pipe(server);
    server.on('error', () => {}).pipe(client);
    let version = 0;
    client.once('data', (packet: Buffer) => (version = packet[packet.indexOf('MQTT') + 4]!));
    ends.add(() => {
      server.unpipe(client).destroy();
      client.end(version === 5 ? Buffer.from([0xe0, 2, 0x8b, 0]) : '');
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const stopServer = () => {
    for (const end of ends) end();
    ends.clear();
  };
  return {
    url: `mqtt://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stopServer,
    async [Symbol.asyncDispose]() {
      stopServer();
      proxy.close();
    },
  };
}

test('the code for MQTT has the address of a proxy with TLS', () => {
  const code = (mqtt: string) => snippets.send.mqtt({ origin: server.url, id: 'id', key: 'swb_key', mqtt });
  expect(code('mqtts://devices.example.org')).toContain('-h devices.example.org -p 8883 --tls-use-os-certs -u id');
  expect(code('mqtt://[::1]')).toContain('-h ::1 -p 1883 -u id');
});
