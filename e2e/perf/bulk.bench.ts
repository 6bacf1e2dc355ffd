/**
 * `npm run bench -- bulk`: in the app, COUNT (100000) devices are selected, get another type, join a swarm, are exported,
 * compared and deleted; and COUNT/10 invitations are accepted. Meanwhile another user's requests are timed, and those of
 * the browser are counted. `npm run build` comes first. Asserts only that the result is right.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright';
import type { ActionHistory, ActionKind, ActionList, DevicePage, MachineType, Resource } from '@swarmdeck/bff/contract';
import { browserArguments, findBrowser } from '../../.tools/browser.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { HomePage } from '../pages/home.page.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { startServer } from '../server.ts';
import { machine, post, send, signUp } from './harness.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const shown = count.toLocaleString('en-GB');
const patience = 1_800_000;
/** In ms, between two requests of the other user. */
const pause = 20;

const server = await startServer({ env: { QUOTAS: 'off', LOG_LEVEL: 'warn' } });
const { origin } = server;
const [ann, ben] = [await signUp(origin, 'ann'), await signUp(origin, 'ben')];
const swarm = (await (
  await post(`${origin}/service/swarms`, ann.key, { name: 'Harbour', description: '' })
).json()) as { id: string };

const coast = (await (await post(`${origin}/service/swarms`, ben.key, { name: 'Coast', description: '' })).json()) as {
  id: string;
};
/** So many invitations are accepted. */
const some = Math.round(count / 10);

const file = join(server.dataDir, 'devices.csv');
const types: MachineType[] = ['pc', 'bug'];
await writeFile(
  file,
  `name,machine_type,description,longitude,latitude\n${Array.from(
    { length: count },
    (_, index) =>
      `Sensor ${index},${types[index % 2]},"=note, ${index}",${(index % 3600) / 10 - 180},${(index % 1700) / 10 - 85}\n`,
  ).join('')}`,
);
const imported = await timed(() => server.command('import', '--user', 'ann', file));
console.log(`import by the command line: ${imported.seconds} s`);

/** The other user: reads and writes of one device, and the list, one after the other. */
const own = (await (
  await post(`${origin}/service/resources`, ben.key, { name: 'Buoy', machine_type: 'bug' })
).json()) as Resource;
let times: number[] = [];
let refused = 0;
let isRunning = true;
const requests = [
  () => send('GET', `${origin}/service/resources/${own.id}`, ben.key),
  () => send('PUT', `${origin}/service/resources/${own.id}`, ben.key, { description: String(Math.random()) }),
  () => send('GET', `${origin}/api/devices?audience=own&limit=100`, ben.session),
];
const other = (async () => {
  for (let turn = 0; isRunning; turn += 1) {
    const from = performance.now();
    try {
      await (await requests[turn % requests.length]!()).arrayBuffer();
      times.push(performance.now() - from);
    } catch {
      // the server restarts
      refused += 1;
    }
    await wait(pause);
  }
})();

const executablePath = findBrowser();
const browser = await chromium.launch({ args: browserArguments, ...(executablePath && { executablePath }) });
const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
context.setDefaultTimeout(patience);
await context.request.post('/auth/sign-in/username', {
  data: { username: ann.name, password: 'correct horse battery' },
  headers: { origin },
});
const page = await context.newPage();
let sent = 0;
page.on('request', (request) => (sent += request.url().includes('/api/') ? 1 : 0));
console.log(`${machine()}; ${shown} devices\n`);
console.log('step                     seconds  other p50  p99   max  requests (refused)  of the browser');

async function timed<Result>(act: () => Promise<Result>): Promise<{ result: Result; seconds: string }> {
  const from = performance.now();
  const result = await act();
  return { result, seconds: ((performance.now() - from) / 1000).toFixed(1) };
}

/** `act` is timed, after `prepare`. */
async function step<Prepared>(
  name: string,
  act: (prepared: Prepared) => Promise<unknown>,
  prepare?: () => Promise<Prepared>,
): Promise<void> {
  const prepared = (await prepare?.()) as Prepared;
  times = [];
  refused = 0;
  sent = 0;
  const { seconds } = await timed(() => act(prepared));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  const figures = [at(0.5), at(0.99), at(1)].map((value) => String(value).padStart(5)).join(' ');
  console.log(`${name.padEnd(24)} ${seconds.padStart(7)}      ${figures}  ${sorted.length} (${refused})  ${sent}`);
}

async function selectAll(): Promise<BulkPart> {
  await page.goto('/');
  const bulk = new BulkPart(page);
  await new HomePage(page).rows.first().waitFor();
  await bulk.selection.choose(/^Select all \d/);
  return bulk;
}

/** Waits until the newest action of a kind has ended. What can be undone before starts at once. */
async function finish(kind: ActionKind): Promise<void> {
  for (;;) {
    const { actions } = (await (await send('GET', `${origin}/api/actions`, ann.session)).json()) as ActionList;
    const open = actions.find((action) => action.kind === kind && action.state !== 'ended');
    if (open?.state === 'pending') {
      await post(`${origin}/api/actions/${open.id}/wait`, ann.session, { seconds: 0 }).catch(() => undefined);
    }
    const history = (await (await send('GET', `${origin}/api/actions/history`, ann.session)).json()) as ActionHistory;
    const [newest] = history.actions;
    if (!open && newest?.kind === kind) {
      if (newest.failed > 0) console.log(`  WRONG: ${newest.failed} failed`);
      return;
    }
    await wait(100);
  }
}

/** The other user invites some of the devices. */
async function inviteSome(): Promise<void> {
  const devices: { id: string }[] = [];
  for (let cursor = ''; devices.length < some;) {
    const answer = await send('GET', `${origin}/api/devices?limit=1000&cursor=${cursor}`, ann.session);
    const { items, next } = (await answer.json()) as DevicePage;
    devices.push(...items);
    cursor = next ?? '';
  }
  const id = randomUUID();
  const about = { swarm: { id: coast.id, name: 'Coast' } };
  await post(`${origin}/api/actions`, ben.session, { id, kind: 'invite', about, wait: 0, total: some });
  for (let from = 0; from < some; from += 500) {
    const items = devices.slice(from, Math.min(from + 500, some)).map((device, index) => ({
      line: from + index + 1,
      to: 'ann',
      resource_id: device.id,
      resource_type: 'producer',
    }));
    await send('PUT', `${origin}/api/actions/${id}/parts/${from / 500}`, ben.session, { items });
  }
  await post(`${origin}/api/actions/${id}/start`, ben.session, {});
  for (let state = ''; state !== 'ended'; await wait(200)) {
    const { actions } = (await (await send('GET', `${origin}/api/actions`, ben.session)).json()) as ActionList;
    state = actions.find((action) => action.id === id)?.state ?? '';
  }
}

const total = async (query: string) => {
  const answer = await send('GET', `${origin}/api/devices?limit=0&${query}`, ann.session);
  return ((await answer.json()) as { total: number }).total;
};
function check(what: string, found: unknown, wanted: unknown) {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  console.log(`  WRONG: ${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  process.exitCode = 1;
}

await step('nothing', () => wait(5000));
await step('select', async () => void (await selectAll()));
await step(
  'set the type',
  async (bulk: BulkPart) => {
    await bulk.confirm(`Change ${shown} devices`);
    await finish('update');
  },
  async () => {
    const bulk = await selectAll();
    await bulk.start('Set machine type…');
    await bulk.choose('Smartphone');
    return bulk;
  },
);
check('smartphones', await total('machine_type=smartphone'), count);
await step(
  'add to a swarm',
  async (bulk: BulkPart) => {
    await bulk.confirm(`Add ${shown} devices`);
    await finish('add_member');
  },
  async () => {
    const bulk = await selectAll();
    await bulk.start('Add to my swarm…');
    await bulk.chooseSwarm('Harbour');
    return bulk;
  },
);
check('members', await total(`swarm=${swarm.id}`), count);
await step('export', async () => {
  const bulk = await selectAll();
  await bulk.start('Export…');
  const { text } = await bulk.download(`Export ${shown} devices`);
  await writeFile(file, text);
});
await step('import again', async () => {
  const { output } = await server.command('import', '--user', 'ann', file);
  check('import', output.trim(), `0 stored, ${shown} updated, 0 failed`);
});
await inviteSome();
await step(
  'accept invitations',
  async (inbox: InboxPage) => {
    await inbox.answerAll('Accept', some.toLocaleString('en-GB'));
    await finish('answer');
  },
  async () => {
    const inbox = new InboxPage(page);
    await inbox.goto();
    await inbox.selectAll();
    return inbox;
  },
);
check('members', await total(`swarm=${coast.id}`), some);
await step(
  'delete',
  async (bulk: BulkPart) => {
    await bulk.confirm(`Delete ${shown} devices`);
    await finish('delete');
  },
  async () => {
    const bulk = await selectAll();
    await bulk.start('Delete…');
    await bulk.typeCount(shown);
    return bulk;
  },
);
check('devices', await total(''), 0);

isRunning = false;
await other;
await browser.close();
await server.stop();
