/** Runs the code that the page of a device shows for its key, exactly as it is printed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { env as ownEnv, execPath } from 'node:process';
import { expect } from 'vitest';
import { snippets } from '../../../web/src/features/keys/snippets.ts';
import type { AppOptions } from '../app.ts';
import type { CreatedApiKey, DeviceKeys, Message, Resource, Swarm } from '../contract.ts';
import { browse, startHttpServer } from './http-server.fixture.ts';

export { snippets };

type Language = keyof typeof snippets.send;
const has = (command: string) => spawnSync(command, ['--version']).status === 0;
const programs: Partial<Record<Language, readonly string[]>> = {
  curl: ['sh', '-c'],
  mqtt: ['sh', '-c'],
  javascript: [execPath, '--input-type=module', '-e'],
  ...(has('python3') && { python: ['python3', '-c'] }),
};
export const languages = (Object.keys(programs) as Language[]).filter((language) => language !== 'mqtt');

/** A server with a swarm. `replacements`: a folder with programs for a machine that does not have them. */
export async function startForSnippets({
  opened,
  replacements,
}: {
  opened?: AppOptions['opened'];
  replacements: string;
}) {
  const server = await startHttpServer({ ...(opened && { opened }) });
  const ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'correct horse battery', name: 'ann' });
  const swarm = await read<Swarm>('POST', '/api/swarms', { name: 'River levels', description: '' });
  const path = [dirname(execPath), ownEnv['PATH'], replacements].join(':');

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
    const { items: _, ...addresses } = await read<DeviceKeys>('GET', `/api/devices/${id}/keys`);
    return { origin: server.url, id, key, ...addresses };
  }

  /** Starts the code. Its group is killed, because a shell may leave its program running. */
  function start(language: Language, code: string) {
    const [command, ...args] = programs[language]!;
    const child = spawn(command!, [...args, code], { env: { ...ownEnv, PATH: path }, detached: true });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return {
      said: () => said,
      ended: once(child, 'close') as Promise<[number]>,
      async [Symbol.asyncDispose]() {
        if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
        await this.ended;
      },
    };
  }

  return {
    swarm,
    read,
    connect,
    start,
    /** The device sends a message. */
    send: ({ id }: { id: string }, payload: object) => read('POST', `/api/resources/${id}/messages`, { payload }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export type SnippetServer = Awaited<ReturnType<typeof startForSnippets>>;

export async function expectSends({ connect, start, read, swarm }: SnippetServer, language: Language) {
  const device = await connect('producer');
  const program = start(language, snippets.send[language](device));
  const [code] = await program.ended;
  // The client of mosquitto says only what has failed.
  const said = language === 'mqtt' ? '' : (expect.stringContaining(swarm.id) as string);
  expect({ code, said: program.said() }).toEqual({ code: 0, said });
  const [sent] = await read<Message[]>('GET', `/api/resources/${device.id}/messages/sent`);
  expect(sent?.payload).toEqual({ temperature: 21.5 });
}

export async function expectReceives({ connect, start, send }: SnippetServer, language: Language) {
  const [device, other] = [await connect('consumer'), await connect('producer')];
  await using program = start(language, snippets.receive[language](device));
  let level = 0;
  // A stream begins with the next message.
  const heard = async () => {
    await send(other, { level: (level += 1) });
    return program.said();
  };
  await expect
    // A device sends up to 20 messages a second.
    .poll(heard, { interval: 200 })
    .toContain('level');
}
