/**
 * `npm run bench -- answer`: answering invitations against creating resources. Each request answers a different
 * invitation and creates its membership. Both are durable, over 50 connections, in one run, in alternating order.
 * Prints a table; asserts nothing. ROUNDS (5). REQUESTS: of each kind in each round (20000).
 */
import autocannon from 'autocannon';
import { each, machine, median, post, send, signUp, startSwarmdeck, type TestUser } from './harness.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const requests = Number(process.env['REQUESTS'] ?? 20_000);
const connections = 50;
const devicesOfUser = 50;
const users = 20;
const swarmsOfRound = Math.ceil(requests / (users * devicesOfUser));

await using server = await startSwarmdeck();
const { origin } = server;
const service = `${origin}/service`;
const owner = await signUp(origin, 'owner');
const members = await each(Array.from({ length: users }), (_, index) => signUp(origin, `member-${index}`));
const station = (name: string) => ({
  name,
  machine_type: 'bug',
  description: 'Weather station',
  position: { longitude: 12.296, latitude: 52.924 },
});
const make = async (path: string, { key }: TestUser, body: object) =>
  ((await (await post(`${service}${path}`, key, body)).json()) as { id: string }).id;

const devices = await each(
  members.flatMap((who) => Array.from({ length: devicesOfUser }, () => who)),
  async (who, index) => ({ who, id: await make('/resources', who, station(`Station ${index}`)) }),
  50,
);

/** Open invitations, no two of them for the same device and swarm. */
async function invite(): Promise<Step[]> {
  const swarms = await each(Array.from({ length: swarmsOfRound }), () =>
    make('/swarms', owner, { name: 'Ring', description: '' }),
  );
  const wanted = swarms.flatMap((swarm) => devices.map((device) => ({ swarm, ...device }))).slice(0, requests);
  return each(
    wanted,
    async ({ swarm, who, id }) => {
      const body = { to: who.name, resource_id: id, resource_type: 'consumer' };
      const invitation = await make(`/swarms/${swarm}/invitations`, owner, body);
      return { path: `/service/resources/${id}/invitations/${invitation}`, headers: who.key };
    },
    50,
  );
}

interface Step {
  path: string;
  headers: Record<string, string>;
}

/**
 * Sends every step once and returns the rate until the last response. The load tool itself ends at a full second, so
 * its own duration would show that second and not the server.
 */
async function run(method: 'POST' | 'PUT', steps: Step[], body: object): Promise<{ perSecond: number; p99: number }> {
  let next = 0;
  const began = performance.now();
  let ended = began;
  const options: autocannon.Options = {
    url: origin,
    connections,
    amount: steps.length,
    requests: [
      {
        method,
        body: JSON.stringify(body),
        setupRequest(request) {
          // a connection asks for one more than it sends
          const { path, headers } = steps[next++ % steps.length]!;
          // autocannon writes into these
          return { ...request, path, headers: { ...headers } };
        },
      },
    ],
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error, value) => (error ? reject(error) : resolve(value)));
    load.on('response', () => (ended = performance.now()));
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} failed, ${result.errors} errors`);
  return { perSecond: (steps.length * 1000) / (ended - began), p99: result.latency.p99 };
}

async function measure(what: 'create' | 'answer') {
  if (what === 'answer') return run('PUT', await invite(), { status: 'accept' });
  const creates = Array.from({ length: requests }, (_, index) => ({
    path: '/service/resources',
    headers: members[index % users]!.key,
  }));
  return run('POST', creates, station('Durable'));
}

/** Answered means joined: as many members as there were invitations. */
async function answered(): Promise<number> {
  const list = (await (await send('GET', `${service}/swarms`, owner.key)).json()) as { resources: unknown[] }[];
  return list.reduce((sum, { resources }) => sum + resources.length, 0);
}

console.log(`${machine()}; ${rounds} rounds of ${requests}, ${connections} connections\n`);
await run(
  'POST',
  Array.from({ length: 1000 }, () => ({ path: '/service/resources', headers: owner.key })),
  station('Warm'),
);
const ratios: number[] = [];
const results = { create: [] as Awaited<ReturnType<typeof run>>[], answer: [] as Awaited<ReturnType<typeof run>>[] };
for (let round = 0; round < rounds; round++) {
  for (const what of round % 2 === 0 ? (['create', 'answer'] as const) : (['answer', 'create'] as const)) {
    results[what].push(await measure(what));
  }
  ratios.push(results.answer[round]!.perSecond / results.create[round]!.perSecond);
}
const joined = await answered();
console.log('| what | per second | p99 ms | of the creates | at least |\n|---|---|---|---|---|');
for (const [what, values] of Object.entries(results)) {
  const rate = Math.round(median(values.map(({ perSecond }) => perSecond)));
  const p99 = median(values.map((value) => value.p99));
  const ratio = what === 'create' ? '1.00 | ' : `${median(ratios).toFixed(2)} | 0.5`;
  console.log(`| ${what} | ${rate} | ${p99} | ${ratio} |`);
}
console.log(`\n${joined} members of ${rounds * requests} invitations`);
