/**
 * `npm run bench -- events`: what streams cost the server. Prints tables; asserts nothing. Linux only (`/proc`).
 * USERS: how many users the 1,000 streams belong to (20; with 1000 each event has a thousand who may see it).
 * SECONDS: of each measurement (10). `STORE=postgres` adds three processes on one database.
 */
import { loadavg } from 'node:os';
import {
  each,
  machine,
  memory,
  openFilesAtMost,
  percentile,
  post,
  processorSeconds,
  send,
  signUp,
  sleep,
  startSwarmdeck,
  unsentConnections,
  type TestUser,
  type Swarmdeck,
} from './harness.ts';
import { startReaders } from './stream-readers.ts';

const seconds = Number(process.env['SECONDS'] ?? 10);
const userCount = Number(process.env['USERS'] ?? 20);
const streams = 1000;
const updatesPerSecond = 100;
const streamsOfUser = 50;

const station = (name: string) => ({
  name,
  machine_type: 'bug',
  description: 'Weather station',
  position: { longitude: 12.296, latitude: 52.924 },
});
const positionAt = (turn: number) => ({ longitude: 12 + (turn % 1000) / 1000, latitude: 52 });
const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
const withKey = ({ key }: TestUser) => ({
  path: '/service/events',
  headers: { 'x-serviceapikey': key['x-serviceapikey']! },
});

async function idOf(answer: Promise<Response>) {
  return ((await (await answer).json()) as { id: string }).id;
}

/** One swarm: a hundred devices of its owner, and one of each other user. */
async function makeWorld(server: Swarmdeck, names: string[]) {
  const service = `${server.origin}/service`;
  const users = await each(names, (name) => signUp(server.origin, name));
  const owner = users[0]!;
  const devices = await each(Array.from({ length: 100 }), (_, index) =>
    idOf(post(`${service}/resources`, owner.key, station(`Station ${index}`))),
  );
  const resources = devices.map((resource_id) => ({ resource_id, resource_type: 'producer' }));
  const swarm = await idOf(post(`${service}/swarms`, owner.key, { name: 'Stations', description: '', resources }));
  await each(users.slice(1), async ({ name, key }) => {
    const resource_id = await idOf(post(`${service}/resources`, key, station('Reader')));
    const body = { to: name, resource_id, resource_type: 'consumer' };
    const invitation = await idOf(post(`${service}/swarms/${swarm}/invitations`, owner.key, body));
    await send('PUT', `${service}/resources/${resource_id}/invitations/${invitation}`, key, { status: 'accept' });
  });
  const update = (turn: number, body: object) =>
    send('PUT', `${service}/resources/${devices[turn % 100]!}`, owner.key, body);
  return { users, owner, swarm, update };
}

/** So many a second, evenly. Returns the seconds until the last one has been answered. */
async function evenly(perSecond: number, update: (turn: number) => Promise<unknown>) {
  const began = performance.now();
  const running = new Set<Promise<unknown>>();
  for (let turn = 0; turn < seconds * perSecond; turn++) {
    const early = began + (turn * 1000) / perSecond - performance.now();
    if (early > 0) await sleep(early);
    const done: Promise<unknown> = update(turn).finally(() => running.delete(done));
    running.add(done);
  }
  await Promise.all(running);
  return (performance.now() - began) / 1000;
}

/** Also the share of a core that the server used meanwhile. */
async function drive(server: Swarmdeck, update: (turn: number) => Promise<unknown>) {
  const used = processorSeconds(server.pid);
  const took = await evenly(updatesPerSecond, update);
  return { core: (processorSeconds(server.pid) - used) / took, took };
}

async function updates() {
  await using server = await startSwarmdeck();
  const { users, swarm, update } = await makeWorld(
    server,
    Array.from({ length: userCount }, (_, index) => `user-${index}`),
  );
  const kinds = {
    'one device, 100 positions a second': (turn: number) => update(0, { position: positionAt(turn) }),
    '100 devices, one position a second each': (turn: number) => update(turn, { position: positionAt(turn) }),
    '100 devices, one new name a second each': (turn: number) => update(turn, { name: `Station ${turn}` }),
  };
  const entryPoints = {
    'with a key': withKey,
    'through the gateway': ({ session }: TestUser) => ({
      path: `/api/events?watch=own,swarm:${swarm}`,
      headers: { cookie: session['cookie']! },
    }),
  };

  console.log(`\n${streams} streams of ${userCount} users, ${updatesPerSecond} updates a second, each reaching all`);
  console.log('at least: 25 % of a core, p99 150 ms; aim: 15 %, 80 ms\n');
  console.log('| streams | updates | of a core | events a second and stream | p50 ms | p99 ms |');
  console.log('|---|---|---|---|---|---|');
  for (const [kind, act] of Object.entries(kinds)) {
    console.log(`| none | ${kind} | ${percent((await drive(server, act)).core)} | | | |`);
  }
  for (const [entryPoint, streamOf] of Object.entries(entryPoints)) {
    const readers = startReaders(server.port);
    await readers.open(Array.from({ length: streams }, (_, index) => streamOf(users[index % userCount]!)));
    for (const [kind, act] of Object.entries(kinds)) {
      await sleep(1000);
      await readers.count();
      const { core, took } = await drive(server, act);
      const { events, latencies, open } = await readers.count();
      if (open !== streams) throw new Error(`${streams - open} streams were disconnected`);
      const rate = (events / streams / took).toFixed(1);
      const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
      console.log(`| ${entryPoint} | ${kind} | ${percent(core)} | ${rate} | ${p50} | ${p99} |`);
    }
    await readers.close();
  }
}

/** Sends long updates until the server has disconnected every stuck reader. Updates without readers are the baseline. */
async function stuckReaders() {
  await using server = await startSwarmdeck();
  const { owner, update } = await makeWorld(server, ['owner']);
  const text = 'x'.repeat(1990);
  const push = (many: number) =>
    each(Array.from({ length: many }), (_, turn) => update(turn, { description: `${turn} ${text}` }), 32);
  await push(6000);
  const before = memory(server.pid);
  const readers = startReaders(server.port);
  await readers.open(
    Array.from({ length: streamsOfUser }, () => withKey(owner)),
    { read: false },
  );
  let most = before;
  let pushed = 0;
  do {
    await push(500);
    pushed += 500;
    most = Math.max(most, memory(server.pid));
  } while (unsentConnections(server) > 0 && pushed < 20_000);
  const cut = streamsOfUser - unsentConnections(server);
  const cost = ((most - before) / streamsOfUser).toFixed(2);
  console.log(`\n${streamsOfUser} stuck readers, ${pushed} updates of 2 kB: ${cut} were disconnected`);
  console.log(
    `resident ${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB: ${cost} MB each; goal: under 1 MB`,
  );
  await readers.close();
}

async function idle() {
  await using server = await startSwarmdeck();
  const limit = openFilesAtMost(server.pid);
  const many = Math.min(10_000, limit - 500);
  // one after the other: hashing many passwords at once leaves a server larger for good
  const users = await each(
    Array.from({ length: Math.ceil(many / streamsOfUser) }),
    (_, index) => signUp(server.origin, `idle-${index}`),
    1,
  );
  const before = memory(server.pid);
  const readers = startReaders(server.port);
  await readers.open(Array.from({ length: many }, (_, index) => withKey(users[index % users.length]!)));
  await sleep(2000);
  const used = processorSeconds(server.pid);
  await sleep(20_000);
  const core = (processorSeconds(server.pid) - used) / 20;
  const { open } = await readers.count();
  const after = memory(server.pid);
  console.log(`\n${open} idle streams of ${users.length} users (ulimit -n ${limit}): ${percent(core)} of a core`);
  console.log(`resident ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with them; goal: under 400 MB`);
  await readers.close();
}

/** 1,000 devices that move once a second, each move sent to any of three processes, with watchers on each of them. */
async function threeProcesses() {
  await using first = await startSwarmdeck();
  await using second = await startSwarmdeck();
  await using third = await startSwarmdeck();
  const servers = [first, second, third];
  const watchers = 10;
  const owner = await signUp(first.origin, 'mover');
  const ids = await each(Array.from({ length: 1000 }), (_, index) =>
    idOf(post(`${first.origin}/service/resources`, owner.key, station(`Station ${index}`))),
  );
  const readers = servers.map(({ port }) => startReaders(port));
  await Promise.all(readers.map((each) => each.open(Array.from({ length: watchers }, () => withKey(owner)))));
  await sleep(1000);
  const before = servers.map(({ pid }) => processorSeconds(pid));
  const took = await evenly(1000, (turn) => {
    const url = `${servers[turn % 3]!.origin}/service/resources/${ids[turn % 1000]!}`;
    return send('PUT', url, owner.key, { position: positionAt(turn) });
  });
  await sleep(1000);
  const cores = servers.map(({ pid }, index) => (processorSeconds(pid) - before[index]!) / took);
  const counts = await Promise.all(readers.map((each) => each.count()));
  const latencies = counts.flatMap((each) => each.latencies);
  const perWatcher = counts.map(({ events }) => Math.round(events / watchers));
  console.log(`\nthree processes, ${1000 * seconds} moves in ${took.toFixed(1)} s, ${watchers} watchers on each`);
  console.log(
    `events of a watcher on each: ${perWatcher.join(', ')}; of a core each: ${cores.map(percent).join(', ')}`,
  );
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(latencies, part));
  console.log(`from the commit to the watcher: p50 ${p50} ms, p95 ${p95} ms (goal: 300), p99 ${p99} ms`);
  await Promise.all(readers.map((each) => each.close()));
}

console.log(`${machine()}, load ${loadavg()[0]!.toFixed(1)}; ${seconds} s each`);
await updates();
await stuckReaders();
await idle();
if (process.env['DATABASE_URL']) await threeProcesses();
