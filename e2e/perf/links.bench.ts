/**
 * `npm run bench -- links`: a link lets COUNT (10000) devices join a swarm. USERS (100) users open it at once, with 5 %
 * more devices than there are places, and each joins with all of them, in one action. Meanwhile another user's requests
 * are timed, before it (the baseline) and during it. Asserts that every place is taken, and none twice.
 */
import { randomUUID } from 'node:crypto';
import type { ActionHistory, ActionList, JoinLink, JoinOffer, Resource, Swarm } from '@swarmdeck/bff/contract';
import { each, machine, percentile, post, send, signUp, sleep, startSwarmdeck, type TestUser } from './harness.ts';

const places = Number(process.env['COUNT'] ?? 10_000);
const people = Number(process.env['USERS'] ?? 100);
const devicesEach = Math.ceil((places * 1.05) / people);
/** In ms, between two requests of the other user. */
const pause = 20;

await using server = await startSwarmdeck();
const { origin } = server;
const read = async <T>(path: string, { session }: TestUser) =>
  (await (await send('GET', `${origin}/api${path}`, session)).json()) as T;

const owner = await signUp(origin, 'owner');
const other = await signUp(origin, 'other');
const description = 'Everybody with the link may join';
const swarm = (await (
  await post(`${origin}/api/swarms`, owner.session, { name: 'Harbour', description })
).json()) as Swarm;
const terms = { name: 'Poster', resource_type: 'producer', max_resources: places };
const made = await post(`${origin}/api/swarms/${swarm.id}/links`, owner.session, terms);
const { url } = (await made.json()) as JoinLink;
const buoy = (await (
  await post(`${origin}/api/resources`, other.session, { name: 'Buoy', machine_type: 'bug' })
).json()) as Resource;

const crowd = await each(
  Array.from({ length: people }, (_, index) => index),
  async (index) => {
    const user = await signUp(origin, `user-${index}`);
    const devices = await each(
      Array.from({ length: devicesEach }, (_, number) => number),
      async (number) => {
        const device = { name: `Sensor ${index}-${number}`, machine_type: 'pc' };
        return (await (await post(`${origin}/api/resources`, user.session, device)).json()) as Resource;
      },
    );
    return { user, devices };
  },
  4,
);

let times: number[] = [];
let isRunning = true;
const requests = [
  () => send('GET', `${origin}/service/resources/${buoy.id}`, other.key),
  () => send('PUT', `${origin}/service/resources/${buoy.id}`, other.key, { description: String(Math.random()) }),
  () => send('GET', `${origin}/api/devices?audience=own&limit=100`, other.session),
];
const otherUser = (async () => {
  for (let turn = 0; isRunning; turn += 1) {
    const from = performance.now();
    await (await requests[turn % requests.length]!()).arrayBuffer();
    times.push(performance.now() - from);
    await sleep(pause);
  }
})();
function report(what: string, seconds: number) {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => percentile(times, part).toFixed(0).padStart(5));
  console.log(`${what.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s  ${p50} ${p99} ${most}  ${times.length}`);
  times = [];
}

console.log(`${machine()}; ${people} users with ${devicesEach} devices each, ${places} places\n`);
console.log('                                     other p50   p99   max  requests, ms');
times = [];
await sleep(5000);
report('nothing', 5);

const code = url.split('/').at(-1)!;
const about = { id: swarm.id, name: swarm.name };
const from = performance.now();
const joined = await Promise.all(
  crowd.map(async ({ user, devices }) => {
    const offer = await read<JoinOffer>(`/links?code=${code}`, user);
    const items = devices.map(({ id, name }) => ({ id, name }));
    const what = { kind: 'join', about: { link: offer.id, pass: offer.pass, swarm: about }, items };
    await post(`${origin}/api/actions`, user.session, { id: randomUUID(), wait: 0, ...what });
    for (;;) {
      const { actions: open } = await read<ActionList>('/actions', user);
      const { actions } = await read<ActionHistory>('/actions/history', user);
      const [ended] = actions;
      if (open.every(({ state }) => state === 'ended') && ended?.state === 'ended') return ended.done - ended.failed;
      await sleep(500);
    }
  }),
);
report('everybody joins', (performance.now() - from) / 1000);
isRunning = false;
await otherUser;

function check(what: string, found: number) {
  console.log(`${what}: ${found}`);
  if (found === places) return;
  console.log(`  WRONG: it must be ${places}`);
  process.exitCode = 1;
}
const members = await read<Swarm>(`/swarms/${swarm.id}`, owner);
const [link] = await read<JoinLink[]>(`/swarms/${swarm.id}/links`, owner);
check('members', members.resources.length);
check('different members', new Set(members.resources.map(({ resource_id }) => resource_id)).size);
check('joined, as the link says', link!.joined);
check(
  'joined, as the users were told',
  joined.reduce((sum, count) => sum + count, 0),
);
