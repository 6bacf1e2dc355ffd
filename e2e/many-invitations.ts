import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxCount, Invitation, Resource, Swarm } from '@swarmdeck/bff/contract';
import type { APIRequestContext } from 'playwright/test';
import type { User } from './user.ts';
import type { Server } from './server.ts';

const atOnce = 32;

/**
 * Creates `count` devices of the user, each with an open invitation to one of the owner's swarms. The first
 * name has the oldest invitation and is last in every list. The second one is somewhere in the middle.
 */
export async function inviteMany(options: {
  server: Server;
  user: User;
  owner: User;
  /** Number of devices. */
  count: number;
  names: [oldest: string, middle: string];
}): Promise<{ swarms: Swarm[] }> {
  const { server, user, owner, count, names } = options;
  const file = join(server.dataDir, `${user.name}.csv`);
  const others = Array.from({ length: count - names.length }, (_, index) => `Sensor ${index + 1}`);
  const [oldest, middle] = names;
  const all = [oldest, ...others.slice(0, count / 2), middle, ...others.slice(count / 2)];
  await writeFile(file, ['name,machine_type', ...all.map((name) => `${name},bug`)].join('\n'));
  const { code, output } = await server.command('import', '--user', user.name, file);
  if (code !== 0) throw new Error(output);

  const swarms = await Promise.all(
    ['River levels', 'Air quality north', 'Fleet south'].map((name) => owner.createSwarm({ name, description: name })),
  );
  const devices = await send<Resource[]>({ server, key: await user.createKey('many'), path: '/resources' });
  const id = new Map(devices.map((device) => [device.name, device.id]));
  const key = await owner.createKey('many');
  const invite = async (name: string, index: number) => {
    const path = `/swarms/${swarms[index % swarms.length]!.id}/invitations`;
    const body = { to: user.name, resource_id: id.get(name), resource_type: 'producer' };
    await send<Invitation>({ server, key, path, body });
  };
  await invite(oldest, 0);
  const queue = [...all.entries()].slice(1).values();
  const work = async () => {
    for (const [index, name] of queue) await invite(name, index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { swarms };
}

async function send<Body>(options: { server: Server; key: string; path: string; body?: object }): Promise<Body> {
  const { server, key, path, body } = options;
  const response = await fetch(`${server.origin}/service${path}`, {
    headers: { 'x-serviceapikey': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Returns how many received invitations of the signed-in user the service has in each state. */
export async function countReceived(request: APIRequestContext) {
  const { received } = (await (await request.get('/api/inbox/count')).json()) as InboxCount;
  return { new: received.new, accepted: received.accepted, rejected: received.rejected };
}
