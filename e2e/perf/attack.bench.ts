/**
 * `npm run bench -- attack`: five users do at once what costs the server most and is allowed by the limits of a server that is
 * not configured: responses that nobody reads, bodies of 5 MiB, messages to 100 swarms (as many as a device may be in), large swarms that are expected again and
 * again, keys and long lists. A sixth user reads a device and opens the home page, alone and beside each of them and all. Another user,
 * whose device was removed from a swarm of the sixth, goes on reading it and sending to it: alone, and not with the five.
 * Attackers and server share the cores, so the attackers have the lowest priority: they use what the server leaves, and what is
 * measured is how the server shares its own time. An idle THE LIMIT is read at the same times: what the processors alone cost.
 * `SECONDS` (10) for each; `ATTACKS=unread,bodies`: only some; `AGAINST=<clone>`. Prints a table; asserts nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attacker } from './attackers.process.ts';
import {
  each,
  machine,
  memory,
  percentile,
  processorSeconds,
  signUp,
  sleep,
  start,
  startSwarmdeck,
  stop,
  type Swarmdeck,
} from './harness.ts';

const seconds = Number(process.env['SECONDS'] ?? 10);
const all = ['unread', 'bodies', 'messages', 'expected', 'lists', 'removed'] as const;
const wanted = process.env['ATTACKS']?.split(',');
const attacks = all.filter((how) => wanted?.includes(how) ?? true);
const devicesOfEach = 600;
const swarmsOf = { messages: 100, expected: 10 } as Record<string, number>;
/** What the home page asks for. */
const page = ['/account', '/devices?limit=100', '/map?zoom=3&bbox=-180,-80,180,84', '/inbox/count', '/swarm-list'];

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

const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const limit = await start('e2e/perf/limit-server.ts', [join(folder, 'limit.db')], {}, /^(\d+)$/);
const idle = `http://127.0.0.1:${limit.found}`;
await fetch(idle, { method: 'POST', body: JSON.stringify({ name: 'a' }) });

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

/** Requests of the sixth user, and the memory of the server. */
async function measure({ origin, pid }: Swarmdeck, { user, devices }: Pick<Attacker, 'user' | 'devices'>) {
  const [reads, idles, pages, megabytes]: number[][] = [[], [], [], []];
  let refused = 0;
  const get = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${origin}${path}`, { headers });
    await answer.arrayBuffer();
    if (!answer.ok && answer.status !== 202) refused += 1;
  };
  const [from, used] = [performance.now(), processorSeconds(pid)];
  const end = from + seconds * 1000;
  for (let turn = 0; performance.now() < end; turn++) {
    reads!.push(await timeOf(() => get(`/service/resources/${devices[0]}`, user.key)));
    idles!.push(await timeOf(async () => (await fetch(`${idle}/one`)).arrayBuffer()));
    if (turn % 10 === 0) {
      pages!.push(await timeOf(() => Promise.all(page.map((path) => get(`/api${path}`, user.session)))));
      megabytes!.push(memory(pid));
    }
    await sleep(20);
  }
  return {
    read: percentile(reads!, 0.95),
    idle: percentile(idles!, 0.95),
    page: percentile(pages!, 0.95),
    memory: Math.max(...megabytes!),
    cores: ((processorSeconds(pid) - used) * 1000) / (performance.now() - from),
    refused,
  };
}

async function attack(server: Swarmdeck, attackers: Attacker[], sixth: Pick<Attacker, 'user' | 'devices'>) {
  const child = fork(join(import.meta.dirname, 'attackers.process.ts'));
  child.send({ origin: server.origin, attackers });
  await sleep(2000);
  const measured = await measure(server, sixth);
  child.send('end');
  const [statuses] = (await once(child, 'message')) as [Record<string, number>];
  await once(child, 'exit');
  await sleep(2000);
  return { ...measured, statuses };
}

console.log(`${machine()}, ${seconds} s each\n`);
for (const clone of [process.env['AGAINST'] ?? [], ''].flat()) {
  await using server = await startSwarmdeck({ clone, env: { RATE_LIMIT: 'on', QUOTAS: 'on' } });
  const attackers: Attacker[] = [];
  for (const how of attacks) attackers.push(await createUser(server, how));
  const sixth = await createUser(server, 'sixth');
  const removed = attackers.find(({ how }) => how === 'removed');
  if (removed) removed.swarms = [await leaveSwarmOf(sixth, removed, server)];
  // The lists and the map of the sixth user are built.
  await measure(server, sixth);
  const alone = await measure(server, sixth);
  console.log(
    `${clone || 'this one'}\n\n| beside | read, p95 | of alone | idle limit, p95 | page, p95 | of alone | memory | cores | refused |`,
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  const print = (what: string, measured: typeof alone) => {
    const { read, idle: ofIdle, page: ofPage, memory: most, cores, refused } = measured;
    const cells = [
      read.toFixed(1),
      (read / alone.read).toFixed(1),
      ofIdle.toFixed(1),
      ofPage.toFixed(1),
      (ofPage / alone.page).toFixed(1),
    ];
    console.log(`| ${what} | ${cells.join(' | ')} | ${Math.round(most)} MB | ${cores.toFixed(1)} | ${refused} |`);
  };
  print('nobody', alone);
  const answered: string[] = [];
  const together = attackers.filter((one) => one !== removed);
  const tests = [...attackers.map((one) => [one]), ...(together.length > 1 ? [together] : [])];
  for (const some of tests) {
    const { statuses, ...measured } = await attack(server, some, sixth);
    print(some.length > 1 ? 'all at once' : some[0]!.how, measured);
    answered.push(`${some.length > 1 ? 'all' : some[0]!.how}: ${JSON.stringify(statuses)}`);
  }
  console.log(
    `\nms; goals: a read within 5 times of alone, a page within 3, memory below 1 GB.\n${answered.join('\n')}\n`,
  );
}
await stop(limit.child);
rmSync(folder, { recursive: true });
