/**
 * `npm run bench -- screens`, COUNT 10000 by default: what the screens ask, over HTTP with a session, in an account that
 * has COUNT devices, received COUNT invitations, half of them answered, and owns a swarm of COUNT members.
 * Prints a table; asserts nothing. Processor time is that of the whole server for each request, with its threads.
 */
import {
  each,
  machine,
  median,
  percentile,
  post,
  processorSeconds,
  send,
  signUp,
  startSwarmdeck,
  type TestUser,
} from './harness.ts';

const count = Number(process.env['COUNT'] ?? 10_000);
const rounds = 20;
const connections = 50;

await using server = await startSwarmdeck();
const { origin, pid } = server;
const [ann, ben] = [await signUp(origin, 'ann'), await signUp(origin, 'ben')];
const numbers = Array.from({ length: count }, (_, index) => index);

async function make(who: TestUser, path: string, body: object): Promise<string> {
  const made = await post(`${origin}/service${path}`, who.key, body);
  return ((await made.json()) as { id: string }).id;
}
const device = (who: TestUser) => (index: number) => {
  const position = { longitude: (index % 360) - 180, latitude: (index % 170) - 85 };
  const machine_type = ['pc', 'bug', 'smartphone'][index % 3];
  return make(who, '/resources', { name: `Sensor ${index}`, machine_type, position });
};

console.log(`${machine()}\n${count.toLocaleString('en')} devices, invitations and members\n`);
const own = await each(numbers, device(ann), connections);
const others = await each(numbers, device(ben), connections);
const swarms = await each(numbers.slice(0, 100), (index) =>
  make(ben, '/swarms', { name: `Swarm ${index}`, description: 'Levels of rivers' }),
);
const large = await make(ann, '/swarms', { name: 'Large', description: '' });

async function invite(options: { from: TestUser; to: TestUser; swarm: string; resource_id: string; accept: boolean }) {
  const { from, to, swarm, resource_id, accept } = options;
  const body = { to: to.name, resource_id, resource_type: 'producer' };
  const id = await make(from, `/swarms/${swarm}/invitations`, body);
  const answer = `${origin}/service/resources/${resource_id}/invitations/${id}`;
  if (accept) await send('PUT', answer, to.key, { status: 'accept' });
}
await each(
  own,
  (resource_id, index) =>
    invite({ from: ben, to: ann, swarm: swarms[index % swarms.length]!, resource_id, accept: index % 2 === 0 }),
  connections,
);
await each(
  others,
  (resource_id) => invite({ from: ann, to: ben, swarm: large, resource_id, accept: true }),
  connections,
);

const paths = {
  'inbox, first page': '/inbox?limit=100',
  'inbox, history': '/inbox?state=answered&limit=100',
  'inbox, search': '/inbox?q=sensor%2099&limit=100',
  'inbox, search that finds nothing': '/inbox?q=nothing',
  'counts for the badge': '/inbox/count',
  'what accepting all is about': '/inbox/summary?state=new',
  board: `/swarms/${large}/board?limit=100`,
  'list of swarms': '/swarm-list',
  'head of a swarm': `/swarms/${large}/overview`,
  'members by name': `/swarms/${large}/members?limit=100`,
  'members of a role and a type': `/swarms/${large}/members?resource_type=producer&machine_type=bug`,
  'members, search': `/swarms/${large}/members?q=sensor%2099`,
  'own devices by name': '/devices?limit=100',
};

async function request(path: string): Promise<number> {
  const from = performance.now();
  await (await send('GET', `${origin}/api${path}`, ann.session)).arrayBuffer();
  return performance.now() - from;
}

console.log(`${''.padEnd(36)}  median      p95   processor`);
for (const [name, path] of Object.entries(paths)) {
  await request(path);
  const before = processorSeconds(pid);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await request(path));
  const used = ((processorSeconds(pid) - before) * 1000) / rounds;
  const row = [median(times), percentile(times, 0.95), used].map((value) => `${value.toFixed(1)} ms`.padStart(9));
  console.log(`${name.padEnd(36)}${row.join('')}`);
}

let pages = 0;
const from = performance.now();
for (let cursor: string | null = ''; cursor !== null; pages++) {
  const page = await send('GET', `${origin}/api/inbox?state=new&limit=200&cursor=${cursor}`, ann.session);
  cursor = ((await page.json()) as { next: string | null }).next;
}
console.log(`\nall that is open, ${pages} pages: ${(performance.now() - from).toFixed(0)} ms`);
