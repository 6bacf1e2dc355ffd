/**
 * `npm run bench -- inbox`: an inbox of COUNT (10000) invitations in Chromium. For each thing that one does there it
 * prints how long that takes, how many tasks of the page's main thread took more than 50 ms, and the longest of them
 * with what filled it. Tasks are counted in processor time of that thread, which other programs on the machine do not
 * change. Asserts nothing.
 */
import { runPending } from '../actions.ts';
import { chromium, type CDPSession, type Page } from 'playwright';
import { browserArguments, findBrowser } from '../../.tools/browser.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { each, machine, post, signUp, startSwarmdeck, type TestUser } from './harness.ts';

const count = Number(process.env['COUNT'] ?? 10_000);
const shown = count.toLocaleString('en');
const patiently = { timeout: 600_000 };

await using server = await startSwarmdeck();
const { origin } = server;
const [ann, ben] = [await signUp(origin, 'ann'), await signUp(origin, 'ben')];
const numbers = Array.from({ length: count }, (_, index) => index);

async function make(who: TestUser, path: string, body: object): Promise<string> {
  return ((await (await post(`${origin}/service${path}`, who.key, body)).json()) as { id: string }).id;
}
const swarms = await each(numbers.slice(0, 20), (index) =>
  make(ben, '/swarms', { name: `Swarm ${index}`, description: 'Levels of rivers' }),
);
await each(
  numbers,
  async (index) => {
    const position = { longitude: (index % 360) - 180, latitude: (index % 170) - 85 };
    const resource_id = await make(ann, '/resources', { name: `Sensor ${index}`, machine_type: 'bug', position });
    const swarm = swarms[index % swarms.length]!;
    await make(ben, `/swarms/${swarm}/invitations`, { to: ann.name, resource_id, resource_type: 'producer' });
  },
  32,
);

const executablePath = findBrowser();
const browser = await chromium.launch({ args: browserArguments, ...(executablePath && { executablePath }) });
const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
await context.request.post('/auth/sign-in/username', {
  data: { username: ann.name, password: 'correct horse battery' },
  headers: { origin },
});
const page = await context.newPage();
const inbox = new InboxPage(page);
const devtools = await context.newCDPSession(page);

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Processor time of the thread. */
  tdur?: number;
  args: Record<string, unknown>;
}

/** What happened in the page's renderer meanwhile, in microseconds. */
async function traced(session: CDPSession, act: () => Promise<unknown>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'blink.user_timing', 'v8'] },
  });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return events;
}

/** In milliseconds. */
const spent = ({ tdur, dur }: TraceEvent) => (tdur ?? dur ?? 0) / 1000;

/** Tasks of the main thread that runs the app, longest first. */
function tasksOf(events: TraceEvent[]) {
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args['name'] === 'CrRendererMain');
  const busiest = threads.map((thread) => {
    const own = events.filter(({ pid, tid, ph }) => pid === thread.pid && tid === thread.tid && ph === 'X');
    const tasks = own.filter(({ name }) => name === 'ThreadControllerImpl::RunTask' || name === 'RunTask');
    return { own, tasks, sum: tasks.reduce((sum, task) => sum + spent(task), 0) };
  });
  const { own, tasks } = busiest.toSorted((a, b) => b.sum - a.sum)[0] ?? { own: [], tasks: [] };
  const sorted = tasks.toSorted((a, b) => spent(b) - spent(a));
  const inside = (task: TraceEvent) =>
    own
      .filter(
        (event) => event !== task && event.ts >= task.ts && event.ts + (event.dur ?? 0) <= task.ts + (task.dur ?? 0),
      )
      .filter(({ name }) => !/RunTask|RunNormalPriority|V8\.|Receive|Simple|message|mojo/i.test(name))
      .toSorted((a, b) => spent(b) - spent(a))
      .slice(0, 4)
      .map((event) => `${event.name} ${spent(event).toFixed(0)}${aboutOf(event.args)}`);
  return { sorted, inside };
}

function aboutOf(args: Record<string, unknown>): string {
  const data = (args['data'] ?? {}) as Record<string, unknown>;
  const about = data['functionName'] ?? data['type'] ?? data['url'];
  return typeof about === 'string' && about !== '' ? ` (${about.split('/').at(-1)})` : '';
}

async function measure(title: string, act: () => Promise<unknown>) {
  const from = performance.now();
  const { sorted, inside } = tasksOf(await traced(devtools, act));
  const took = performance.now() - from;
  const long = sorted.filter((task) => spent(task) > 50);
  const [longest] = sorted;
  const columns = [
    title.padEnd(34),
    `${(took / 1000).toFixed(1)} s`.padStart(8),
    String(long.length).padStart(6),
    `${(longest ? spent(longest) : 0).toFixed(0)} ms`.padStart(9),
  ];
  console.log(`${columns.join('')}   ${longest ? inside(longest).join(', ') : ''}`);
}

async function scrollThrough(view: Page) {
  await inbox.scroll(0);
  for (let step = 0; step < 60; step += 1) {
    await view.mouse.wheel(0, step < 30 ? 400 : count * 2);
    await view.waitForTimeout(50);
  }
}

console.log(`${machine()}, ${browser.version()}\nan inbox of ${shown}\n`);
console.log(`${''.padEnd(34)}    took  >50 ms  longest   what filled it`);
await measure('opening it, nothing cached', async () => {
  await inbox.goto();
  await inbox.badge(shown).waitFor();
  await inbox.rows.first().waitFor();
  await page.waitForTimeout(4000);
});
await measure('opening it once more', async () => {
  await page.reload();
  await inbox.rows.first().waitFor();
  await page.waitForTimeout(4000);
});
await measure('scrolling to its end', () => scrollThrough(page));
await measure('50 rows by key', async () => {
  await page.keyboard.press('l');
  for (let step = 0; step < 50; step += 1) await page.keyboard.press('j');
});
await measure('searching', async () => {
  await inbox.search('sensor 4');
  await page.waitForTimeout(1500);
  await inbox.clearSearch.click();
  await page.waitForTimeout(1000);
});
await measure('selecting all', async () => {
  await inbox.selectAll();
  await inbox.selected.filter({ hasText: `${shown} selected` }).waitFor(patiently);
});
await measure('accepting all', async () => {
  await inbox.answerAll('Accept', shown);
  await runPending(page.request);
  await inbox.says('All answered.').waitFor(patiently);
});
await browser.close();
