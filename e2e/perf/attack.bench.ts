/**
 * `npm run bench -- attack`: five users do at once what costs the server most and is allowed by the limits of a server that is
 * not configured: responses that nobody reads, bodies of 5 MiB, messages to 100 swarms (as many as a device may be in), large swarms that are expected again and
 * again, keys and long lists. A sixth user reads a device and opens the home page, alone and beside each of them and all. Another user,
 * whose device was removed from a swarm of the sixth, goes on reading it and sending to it: alone, and not with the five.
 * Attackers and server share the cores, so the attackers run only when nothing else does (`SCHED_IDLE`): they use what the server leaves, and
 * what is measured is how the server shares its own time. The sixth user asks a second server, which has the same users and which nobody attacks,
 * at the same times: what the busy processors alone cost. With `STORE=postgres`, each of both has a PostgreSQL server of its own.
 * `ROUNDS` (3) of `SECONDS` (10) for each: a time is the median of the 95th percentiles of its rounds, of which each has some 50 pages.
 * `ATTACKS=unread,bodies`: only some; `TOGETHER=only`: only all at once; `AGAINST=<clone>`. Prints a table; asserts nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startPostgres } from '../../.tools/postgres.ts';
import type { Attacker } from './attackers.process.ts';
import {
  each,
  machine,
  median,
  memory,
  percentile,
  processorSeconds,
  signUp,
  sleep,
  startSwarmdeck,
  type Swarmdeck,
} from './harness.ts';

const seconds = Number(process.env['SECONDS'] ?? 10);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const isOnlyTogether = process.env['TOGETHER'] === 'only';
const all = ['unread', 'bodies', 'messages', 'expected', 'lists', 'removed'] as const;
const wanted = process.env['ATTACKS']?.split(',');
const attacks = all.filter((how) => wanted?.includes(how) ?? true);
const devicesOfEach = 600;
const swarmsOf = { messages: 100, expected: 10 } as Record<string, number>;
/** What the home page asks for. */
const page = ['/account', '/devices?limit=100', '/map?zoom=3&bbox=-180,-80,180,84', '/inbox/count', '/swarm-list'];

/** A server whose store nobody else uses: on PostgreSQL, what is done on a shared one would slow the idle server too. */
async function startAlone(clone: string): Promise<Swarmdeck> {
  const postgres = process.env['DATABASE_URL'] ? await startPostgres({ isDurable: true }) : undefined;
  const env = { RATE_LIMIT: 'on', QUOTAS: 'on', ...(postgres && { DATABASE_URL: postgres.url }) };
  const server = await startSwarmdeck({ clone, env });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await postgres?.stop();
    },
  };
}

/** Sends a request again until it is not refused by a rate. */
async function patient(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<{ id: string }> {
  for (;;) {
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    if (answer.ok) return (await answer.json()) as { id: string };
    const text = await answer.text();
    if (answer.status !== 429) throw new Error(`${url}: ${text}`);
    await sleep(1000);
  }
}

async function createUser<Name extends string>({ origin }: Swarmdeck, name: Name) {
  const user = await signUp(origin, `bench-${name}`);
  const make = async (path: string, body: object) => (await patient('POST', `${origin}${path}`, user.key, body)).id;
  const devices = await each(Array.from({ length: devicesOfEach }), (_, n) =>
    make('/service/resources', { name: `Sensor ${n}`, machine_type: 'bug', description: 'x'.repeat(1000) }),
  );
  const members = devices.slice(0, name === 'expected' ? 500 : 70);
  const resources = members.map((id) => ({ resource_id: id, resource_type: 'both' }));
  const swarms = await each(Array.from({ length: swarmsOf[name] ?? 1 }), () =>
    make('/service/swarms', { name: 'Ring', description: '', resources }),
  );
  // A page of 240 KB.
  const message = { payload: 'x'.repeat(1000), swarm_id: swarms[0] };
  await each(Array.from({ length: 200 }), () => make(`/service/resources/${devices[0]}/messages`, message), 4);
  const action = { id: crypto.randomUUID(), kind: 'delete', about: {}, wait: 60, total: 500 };
  await patient('POST', `${origin}/api/actions`, user.session, action);
  return { how: name, user, devices, swarms, action: action.id };
}

/** Returns a swarm of `owner`, of which a device of the other user was a member. */
async function leaveSwarmOf(
  owner: Pick<Attacker, 'user' | 'swarms'>,
  { user, devices: [device] }: Attacker,
  { origin }: Swarmdeck,
) {
  const [swarm] = owner.swarms;
  const body = { to: user.name, resource_id: device, resource_type: 'consumer' };
  const { id } = await patient('POST', `${origin}/service/swarms/${swarm}/invitations`, owner.user.key, body);
  await patient('PUT', `${origin}/service/resources/${device}/invitations/${id}`, user.key, { status: 'accept' });
  const removed = await fetch(`${origin}/service/swarms/${swarm}/resources/${device}`, {
    method: 'DELETE',
    headers: owner.user.key,
  });
  if (!removed.ok) throw new Error(await removed.text());
  return swarm!;
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

/** A user of a server. */
interface Sixth extends Pick<Attacker, 'user' | 'devices' | 'swarms'> {
  server: Swarmdeck;
}

/** Requests of the sixth user to both servers, and the memory of the one that is attacked. */
async function measure(sixth: Sixth, ofIdle: Sixth) {
  const { pid } = sixth.server;
  const [reads, idleReads, pages, idlePages, megabytes]: number[][] = [[], [], [], [], []];
  let refused = 0;
  const get = async (url: string, headers: Record<string, string>) => {
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    if (!answer.ok && answer.status !== 202) refused += 1;
  };
  const read = ({ server: { origin }, user, devices }: Sixth) =>
    timeOf(() => get(`${origin}/service/resources/${devices[0]}`, user.key));
  const open = ({ server: { origin }, user }: Sixth) =>
    timeOf(() => Promise.all(page.map((path) => get(`${origin}/api${path}`, user.session))));
  const [from, used] = [performance.now(), processorSeconds(pid)];
  const end = from + seconds * 1000;
  for (let turn = 0; performance.now() < end; turn++) {
    reads!.push(await read(sixth));
    idleReads!.push(await read(ofIdle));
    if (turn % 2 === 0) {
      pages!.push(await open(sixth));
      idlePages!.push(await open(ofIdle));
      megabytes!.push(memory(pid));
    }
    await sleep(20);
  }
  const p95 = (times: number[] | undefined) => percentile(times!, 0.95);
  return {
    read: p95(reads),
    idleRead: p95(idleReads),
    page: p95(pages),
    idlePage: p95(idlePages),
    memory: Math.max(...megabytes!),
    cores: ((processorSeconds(pid) - used) * 1000) / (performance.now() - from),
    refused,
  };
}

type Measured = Awaited<ReturnType<typeof measure>>;

/** The times of the rounds, and their range for a page. */
async function ofRounds(round: () => Promise<Measured>) {
  const all: Measured[] = [];
  for (let n = 0; n < rounds; n++) all.push(await round());
  const of = (name: keyof Measured) => median(all.map((measured) => measured[name]));
  const pages = all.map(({ page: ofRound }) => ofRound);
  return {
    read: of('read'),
    idleRead: of('idleRead'),
    page: of('page'),
    idlePage: of('idlePage'),
    pages: [Math.min(...pages), Math.max(...pages)] as const,
    memory: Math.max(...all.map((measured) => measured.memory)),
    cores: of('cores'),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
  };
}

/** `answered`: counts the responses of each status that the attackers get. */
async function attack(
  { attackers, sixth, ofIdle }: { attackers: Attacker[]; sixth: Sixth; ofIdle: Sixth },
  answered: Record<string, number>,
) {
  // With the lowest nice value instead, a thread of the server that wakes up may wait until an attacker has used its slice.
  const idle = { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] };
  const child = fork(join(import.meta.dirname, 'attackers.process.ts'), idle);
  child.send({ origin: sixth.server.origin, attackers });
  await sleep(2000);
  const measured = await measure(sixth, ofIdle);
  child.send('end');
  const [statuses] = (await once(child, 'message')) as [Record<string, number>];
  await once(child, 'exit');
  await sleep(2000);
  for (const [status, count] of Object.entries(statuses)) answered[status] = (answered[status] ?? 0) + count;
  return measured;
}

console.log(`${machine()}, ${rounds} rounds of ${seconds} s each\n`);
for (const clone of [process.env['AGAINST'] ?? [], ''].flat()) {
  await using server = await startAlone(clone);
  await using idle = await startAlone(clone);
  const attackers: Attacker[] = [];
  for (const how of attacks) {
    attackers.push(await createUser(server, how));
    // The code of both is as warm.
    await createUser(idle, how);
  }
  const sixth = { server, ...(await createUser(server, 'sixth')) };
  const ofIdle = { server: idle, ...(await createUser(idle, 'sixth-of-idle')) };
  const removed = attackers.find(({ how }) => how === 'removed');
  if (removed) removed.swarms = [await leaveSwarmOf(sixth, removed, server)];
  // The lists and the maps of both users are built.
  await measure(sixth, ofIdle);
  const alone = await ofRounds(() => measure(sixth, ofIdle));
  console.log(`${clone || 'this one'}\n`);
  console.log(
    '| beside | read, p95 | of alone | idle server | of this | page, p95 | of alone | idle server | of this | pages of rounds | memory | cores | refused |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  const print = (what: string, measured: typeof alone) => {
    const { read, idleRead, page: ofPage, idlePage, pages, memory: most, cores, refused } = measured;
    const ofRead = [read, read / alone.read, idleRead, read / idleRead];
    const times = [...ofRead, ofPage, ofPage / alone.page, idlePage, ofPage / idlePage];
    const cells = times.map((time) => time.toFixed(1)).join(' | ');
    const range = pages.map((time) => time.toFixed(0)).join(' to ');
    console.log(`| ${what} | ${cells} | ${range} | ${Math.round(most)} MB | ${cores.toFixed(1)} | ${refused} |`);
  };
  print('nobody', alone);
  const together = attackers.filter((one) => one !== removed);
  const alones = isOnlyTogether ? [] : attackers.map((one) => [one]);
  const answers: string[] = [];
  for (const some of [...alones, ...(together.length > 1 ? [together] : [])]) {
    const what = some.length > 1 ? 'all at once' : some[0]!.how;
    const answered: Record<string, number> = {};
    print(what, await ofRounds(() => attack({ attackers: some, sixth, ofIdle }, answered)));
    answers.push(`${what}: ${JSON.stringify(answered)}`);
  }
  console.log(
    `\nms; goals: a read within 5 times of alone, a page within 3, memory below 1 GB.\n${answers.join('\n')}\n`,
  );
}
