import { setTimeout as wait } from 'node:timers/promises';
import type { Invitation, ListedMember, Resource, Swarm } from '../contract.ts';
import { createRandom, type Random } from './durability.fixture.ts';
import type { Follower } from './follower.fixture.ts';
import { long } from './process.fixture.ts';
import { runLifecycles, type Client, type Load, type Lifecycle } from './restart.fixture.ts';
import { stateAfter, differences, type Seen } from './device-lifecycle.fixture.ts';

/** The server that `loadUntil` stops and starts again. */
interface StoppedServer {
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null }>;
  start(): Promise<void>;
}

const runsPerPair = 6;

export async function createSwarm(client: Client): Promise<Swarm> {
  const body = { name: `Of ${client.name}`, description: '' };
  return JSON.parse((await client.request({ method: 'POST', path: '/swarms', body })).body) as Swarm;
}

/** Runs many stories concurrently while streams are closed and resumed; then the server stops and starts again. */
export async function loadUntil(options: {
  end: 'SIGTERM' | 'SIGKILL' | undefined;
  server: StoppedServer;
  clients: Client[];
  swarms: Swarm[];
  followers: Follower[];
  random: Random;
  lifecycles: Lifecycle[];
}): Promise<Load> {
  const { end, server, clients, swarms, followers, random, lifecycles } = options;
  const load: Load = { lifecycles: [], acknowledged: 0, failures: [], server: 'alive', over: false };
  const pairs = clients.flatMap((owner, index) =>
    clients.filter((guest) => guest !== owner).map((guest) => ({ owner, guest, swarm: swarms[index]! })),
  );
  const runs = Array.from({ length: runsPerPair }, (_, number) =>
    pairs.map((pair) => {
      const name = `${end ?? 'last'} ${lifecycles.length} ${pair.owner.name} ${pair.guest.name} ${number}`;
      return runLifecycles({ ...pair, load, name, random: createRandom(Math.floor(random() * 2 ** 31)) });
    }),
  ).flat();
  const reaches = async (acknowledged: number) => {
    while (load.failures.length === 0 && load.acknowledged < acknowledged) await wait(1);
  };

  await reaches(200);
  if (long) await wait(10_000);
  await Promise.all(followers.map((follower) => follower.resume()));
  await reaches(load.acknowledged + 200 + Math.floor(random() * 200));
  await wait(random() * 20);
  if (end) {
    load.server = 'doomed';
    const { code } = await server.end(end);
    if (end === 'SIGTERM' && code !== 0) load.failures.push(`it ended with ${code}`);
  }
  load.over = true;
  await Promise.all(runs);
  if (end) await server.start();
  lifecycles.push(...load.lifecycles);
  return load;
}

interface Lists {
  resources: Resource[];
  sent: Invitation[];
  received: Invitation[];
  members: ListedMember[];
}

/** By the name of the user who sees them. */
export async function readAll(clients: Client[], swarms: Swarm[]): Promise<Record<string, Lists>> {
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

function seenOf({ name, owner, guest, swarm, known }: Lifecycle, lists: Record<string, Lists>): Seen {
  const device = lists[guest.name]!.resources.find((resource) => resource.name === name);
  const id = known.id ?? device?.id;
  const isPart = (each: { resource_id: string }) => each.resource_id === id;
  return {
    device,
    sent: lists[owner.name]!.sent.filter(isPart),
    received: lists[guest.name]!.received.filter((each) => isPart(each) && each.swarm_id === swarm.id),
    member: lists[owner.name]!.members.find(isPart),
  };
}

/** Differences between the lists and the acknowledged state. Unacknowledged writes must be complete or missing. */
export function faultsOf(lifecycle: Lifecycle, lists: Record<string, Lists>): string[] {
  const { name, known, open } = lifecycle;
  const seen = seenOf(lifecycle, lists);
  const faults = differences(known, seen);
  if (faults.length === 0 || (open && differences(stateAfter(known, open), seen).length === 0)) return [];
  return [`${name}${open ? `, during ${open.what}` : ''}: ${faults.join('; ')}`];
}

/** Records that belong to no story, or to one story twice. */
export function unknownRecords(lifecycles: Lifecycle[], lists: Record<string, Lists>): string[] {
  const names = new Set(lifecycles.map(({ name }) => name));
  const ids = new Set(
    lifecycles.flatMap((lifecycle) => lifecycle.known.id ?? seenOf(lifecycle, lists).device?.id ?? []),
  );
  const all = Object.values(lists);
  const isUnknown = ({ resource_id }: { resource_id: string }) => !ids.has(resource_id);
  return [
    ...all.flatMap(({ resources }) => resources.filter(({ id, name }) => !names.has(name) || !ids.has(id))),
    ...all.flatMap(({ sent, received, members }) => [...sent, ...received, ...members].filter(isUnknown)),
  ].map((record) => JSON.stringify(record));
}
