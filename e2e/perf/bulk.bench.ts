/**
 * `npm run bench -- bulk`: in the app, COUNT (100000) devices are selected, get another type, join a swarm, are exported,
 * compared and deleted. During each step its tab is closed and opened again, and the server is restarted. Meanwhile
 * another user's requests are timed. `npm run build` comes first. Asserts only that the result is right.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import type { MachineType, Resource } from '@swarmdeck/bff/contract';
import { browserArguments, findBrowser } from '../../.tools/browser.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { HomePage } from '../pages/home.page.ts';
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
let page = await context.newPage();
console.log(`${machine()}; ${shown} devices\n`);
console.log('step                     seconds  other p50  p99   max  requests (refused)');

async function timed<Result>(act: () => Promise<Result>): Promise<{ result: Result; seconds: string }> {
  const from = performance.now();
  const result = await act();
  return { result, seconds: ((performance.now() - from) / 1000).toFixed(1) };
}

async function step(name: string, act: () => Promise<unknown>): Promise<void> {
  times = [];
  refused = 0;
  const { seconds } = await timed(act);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  const figures = [at(0.5), at(0.99), at(1)].map((value) => String(value).padStart(5)).join(' ');
  console.log(`${name.padEnd(24)} ${seconds.padStart(7)}      ${figures}  ${sorted.length} (${refused})`);
}

async function selectAll(): Promise<BulkPart> {
  await page.goto('/');
  const bulk = new BulkPart(page);
  await new HomePage(page).rows.first().waitFor();
  await bulk.selection.choose(/^Select all \d/);
  return bulk;
}

/** How many rows of the job have ended; null if there is no job. */
async function ended(on: Page, label: string): Promise<number | null> {
  const notice = new BulkPart(on).job(label);
  if (!(await notice.isVisible())) return null;
  // It may disappear meanwhile, and the default is to wait for it.
  const text = (await notice.innerText({ timeout: 1000 }).catch(() => '')).replaceAll(',', '');
  return Number(/(\d+) of \d+/.exec(text)?.[1] ?? 0);
}

async function until(label: string, part: number): Promise<void> {
  for (;;) {
    const now = await ended(page, label);
    if (now === null ? (await wait(1500), (await ended(page, label)) === null) : now >= part * count) return;
    await wait(100);
  }
}

/** Closes the tab at a fifth, restarts the server at a half, and waits for the end. */
async function finish(label: string): Promise<void> {
  await new BulkPart(page).job(label).waitFor();
  await until(label, 0.2);
  const before = await ended(page, label);
  await page.close();
  page = await context.newPage();
  await page.goto('/account');
  await new BulkPart(page).job(label).waitFor();
  console.log(`  tab closed at ${before}, continued at ${await ended(page, label)}`);
  await until(label, 0.5);
  const at = await ended(page, label);
  await server.end().catch((error: unknown) => console.log(`  ${String(error).slice(0, 400)}`));
  await server.again();
  console.log(`  server restarted at ${at}, continued at ${await ended(page, label)}`);
  await until(label, 2);
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
await step('set the type', async () => {
  const bulk = await selectAll();
  await bulk.start('Set machine type…');
  await bulk.choose('Smartphone');
  await bulk.confirm(`Change ${shown} devices`);
  await finish('Changing');
});
check('smartphones', await total('machine_type=smartphone'), count);
await step('add to a swarm', async () => {
  const bulk = await selectAll();
  await bulk.start('Add to my swarm…');
  await bulk.chooseSwarm('Harbour');
  await bulk.confirm(`Add ${shown} devices`);
  await finish('Adding');
});
check('members', await total(`swarm=${swarm.id}`), count);
await step('export', async () => {
  const bulk = await selectAll();
  await bulk.start('Export…');
  const { text } = await bulk.download(`Export ${shown} devices`);
  await writeFile(file, text);
});
await step('import again', async () => {
  const { output } = await server.command('import', '--user', 'ann', file);
  check('import', output.trim(), `0 stored, 0 changed, ${shown} unchanged, 0 failed`);
});
await step('delete', async () => {
  const bulk = await selectAll();
  await bulk.start('Delete…');
  await bulk.typeCount(shown);
  await bulk.confirm(`Delete ${shown} devices`);
  await finish('Deleting');
});
check('devices', await total(''), 0);

isRunning = false;
await other;
await browser.close();
await server.stop();
