/**
 * A server that stops during writes, by SIGTERM or kill -9, and starts again: the lists have all acknowledged writes,
 * and clients that apply events have the same lists. SWARMDECK_SEED repeats a run.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Invitation, ListedMember, Resource, Swarm } from '../contract.ts';
import { createRandom } from './durability.fixture.ts';
import type { Random } from './durability.fixture.ts';
import { follow } from './follower.fixture.ts';
import type { Follower } from './follower.fixture.ts';
import { createSender, long, patience, seed, startServer, temporaryDataDir } from './process.fixture.ts';
import type { Send } from './process.fixture.ts';
import { createClient, tellStories } from './restart.fixture.ts';
import type { Client, Load, Story } from './restart.fixture.ts';
import { after, differences } from './story.fixture.ts';
import type { Seen } from './story.fixture.ts';
import { expectSame, readLists } from './event-lists.fixture.ts';

const seeds = Array.from({ length: long ? 20 : 1 }, (_, round) => seed + round);
const tellersOfPair = 6;

test.each(seeds)(
  'after a restart under load, the lists and a resumed client have all acknowledged writes (seed %i)',
  async (seed) => {
    using folder = temporaryDataDir();
    await using server = await startRestartable(folder);
    const random = createRandom(seed);
    const clients = await Promise.all(['ann', 'ben', 'cleo'].map((name) => createClient({ send: server.send, name })));
    const swarms = await Promise.all(clients.map(createSwarm));
    const followers = await Promise.all(
      clients.map((client, index) =>
        follow({ client, way: index === 1 ? 'browser' : 'device', origin: server.origin }),
      ),
    );
    const stories: Story[] = [];

    for (const end of ['SIGTERM', 'SIGKILL', undefined] as const) {
      const load = await loadUntil({ end, server, clients, swarms, followers, random, stories });
      expect(load.failures).toEqual([]);
      const lists = await readAll(clients, swarms);
      expect(stories.flatMap((story) => faultsOf(story, lists))).toEqual([]);
      expect(strangers(stories, lists)).toEqual([]);
      if (end === 'SIGKILL') expect(load.stories.filter(({ open }) => open).length).toBeGreaterThan(0);
      if (end) await Promise.all(followers.map((follower) => follower.resume()));
      for (const [index, client] of clients.entries()) {
        expectSame(await followers[index]!.lists(), await readLists({ get: client.get, user: client.name }));
      }
    }
    // Clients that reconnect receive the missed events, even from before the restart.
    expect(followers.map((follower) => follower.resets())).toEqual([0, 0, 0]);
    followers.forEach((follower) => follower.close());
    const { code, stderr } = await server.end('SIGTERM');
    expect({ code, errors: stderr.split('\n').filter((line) => line.includes('"level":"error"')) }).toEqual({
      code: 0,
      errors: [],
    });
  },
  patience,
);

interface Restartable extends AsyncDisposable {
  origin: string;
  send: Send;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; stderr: string }>;
  start(): Promise<void>;
}

/** Starts the server again with the same data and port. */
async function startRestartable({ dataDir }: { dataDir: string }): Promise<Restartable> {
  let server = await startServer({ dataDir });
  const { origin } = server;
  let send = createSender(origin);
  return {
    origin,
    send: (asked) => send(asked),
    end: (signal) => server.end(signal),
    async start() {
      server = await startServer({ dataDir, env: { PORT: new URL(origin).port } });
      send = createSender(origin);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function createSwarm(client: Client): Promise<Swarm> {
  const body = { name: `Of ${client.name}`, description: '' };
  return JSON.parse((await client.ask({ method: 'POST', path: '/swarms', body })).body) as Swarm;
}

/** Runs many stories concurrently while streams are closed and resumed; then the server stops and starts again. */
async function loadUntil(options: {
  end: 'SIGTERM' | 'SIGKILL' | undefined;
  server: Restartable;
  clients: Client[];
  swarms: Swarm[];
  followers: Follower[];
  random: Random;
  stories: Story[];
}): Promise<Load> {
  const { end, server, clients, swarms, followers, random, stories } = options;
  const load: Load = { stories: [], acknowledged: 0, failures: [], server: 'alive', over: false };
  const pairs = clients.flatMap((owner, index) =>
    clients.filter((guest) => guest !== owner).map((guest) => ({ owner, guest, swarm: swarms[index]! })),
  );
  const tellers = Array.from({ length: tellersOfPair }, (_, number) =>
    pairs.map((pair) => {
      const name = `${end ?? 'last'} ${pair.owner.name} ${pair.guest.name} ${number}`;
      return tellStories({ ...pair, load, name, random: createRandom(Math.floor(random() * 2 ** 31)) });
    }),
  ).flat();
  const reaches = async (acknowledged: number) => {
    while (load.failures.length === 0 && load.acknowledged < acknowledged) await wait(1);
  };

  await reaches(200);
  await Promise.all(followers.map((follower) => follower.resume()));
  await reaches(load.acknowledged + 200 + Math.floor(random() * 200));
  await wait(random() * 20);
  if (end) {
    load.server = 'doomed';
    const { code } = await server.end(end);
    if (end === 'SIGTERM' && code !== 0) load.failures.push(`it ended with ${code}`);
  }
  load.over = true;
  await Promise.all(tellers);
  if (end) await server.start();
  stories.push(...load.stories);
  return load;
}

interface Lists {
  resources: Resource[];
  sent: Invitation[];
  received: Invitation[];
  members: ListedMember[];
}

/** By the name of the user who sees them. */
async function readAll(clients: Client[], swarms: Swarm[]): Promise<Record<string, Lists>> {
  const read = async ({ name, get }: Client, index: number) => {
    const swarm = `/swarms/${swarms[index]!.id}`;
    const [resources, sent, received, members] = await Promise.all([
      get<Resource[]>('/resources'),
      get<Invitation[]>(`${swarm}/invitations`),
      get<Invitation[]>('/invitations'),
      get<ListedMember[]>(`${swarm}/resources`),
    ]);
    return [name, { resources, sent, received, members }] as const;
  };
  return Object.fromEntries(await Promise.all(clients.map(read)));
}

function seenOf({ name, owner, guest, swarm, known }: Story, lists: Record<string, Lists>): Seen {
  const device = lists[guest.name]!.resources.find((resource) => resource.name === name);
  const id = known.id ?? device?.id;
  const ofStory = (each: { resource_id: string }) => each.resource_id === id;
  return {
    device,
    sent: lists[owner.name]!.sent.filter(ofStory),
    received: lists[guest.name]!.received.filter((each) => ofStory(each) && each.swarm_id === swarm.id),
    member: lists[owner.name]!.members.find(ofStory),
  };
}

/** Differences between the lists and the acknowledged state. Unacknowledged writes must be complete or missing. */
function faultsOf(story: Story, lists: Record<string, Lists>): string[] {
  const { name, known, open } = story;
  const seen = seenOf(story, lists);
  const faults = differences(known, seen);
  if (faults.length === 0 || (open && differences(after(known, open), seen).length === 0)) return [];
  return [`${name}${open ? `, during ${open.what}` : ''}: ${faults.join('; ')}`];
}

/** Records that belong to no story, or to one story twice. */
function strangers(stories: Story[], lists: Record<string, Lists>): string[] {
  const names = new Set(stories.map(({ name }) => name));
  const ids = new Set(stories.flatMap((story) => story.known.id ?? seenOf(story, lists).device?.id ?? []));
  const all = Object.values(lists);
  const isStrange = ({ resource_id }: { resource_id: string }) => !ids.has(resource_id);
  return [
    ...all.flatMap(({ resources }) => resources.filter(({ id, name }) => !names.has(name) || !ids.has(id))),
    ...all.flatMap(({ sent, received, members }) => [...sent, ...received, ...members].filter(isStrange)),
  ].map((record) => JSON.stringify(record));
}
