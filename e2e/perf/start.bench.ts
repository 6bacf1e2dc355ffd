/**
 * `npm run bench -- start`: the first and the second visit of a page on a slow phone. Chromium is slowed down as Lighthouse
 * slows down a mobile device: processor 4 times slower, 150 ms round trip, 1.6 Mbit/s. The first visit has an empty cache. Before
 * the second one, the tab is closed and the service worker is stopped; what it does itself is not slowed down.
 * ROUNDS (5) of both for each page, medians. PAGES=0,2: only some. With AGAINST=<path of another clone, built> both are visited in
 * turn. Prints a table; asserts nothing.
 */
import { join, relative } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { browserArguments, provideBrowser } from '../../.tools/browser.ts';
import { machine, median, post, signUp, startSwarmdeck } from './harness.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const against = process.env['AGAINST'];
const slow = { processor: 4, latency: 150, download: (1.6e6 / 8) * 0.9, upload: (750e3 / 8) * 0.9 };
/** Long tasks and layout shifts count until so long after the page can be used, in ms. */
const settles = 3000;
/** So long after that, in ms, the app and the data of the page are stored in the browser. */
const stores = 6000;

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1440, height: 900 } };
interface Visit {
  what: string;
  path: string;
  device: typeof phone | typeof desktop;
  /** A text in `main` that shows that the page can be used. */
  text: string;
  map?: boolean;
}
const all: Visit[] = [
  { what: 'devices, phone', path: '/', device: phone, text: 'Sensor 7', map: true },
  { what: 'devices, desktop', path: '/', device: desktop, text: 'Sensor 7', map: true },
  { what: 'a device, phone', path: '/devices/:id', device: phone, text: 'Sensor 7' },
  { what: 'a swarm, desktop', path: '/swarms/:swarm', device: desktop, text: 'Sensor 7', map: true },
  { what: 'swarms, phone', path: '/swarms', device: phone, text: 'Rivers' },
  { what: 'account, phone', path: '/account', device: phone, text: 'ann' },
];
const pages = process.env['PAGES']?.split(',');
const visits = all.filter((_, index) => pages === undefined || pages.includes(String(index)));

interface Measured {
  /** In ms from navigation. */
  list: number;
  map: number;
  blocked: number;
  shift: number;
  /** Of scripts and styles until the page can be used, as they came over the wire, in kB. */
  code: number;
}

/** Creates a user with 120 devices in a swarm. Returns the ids in the paths of the visits. */
async function prepare(origin: string): Promise<Record<string, string>> {
  const ann = await signUp(origin, 'ann');
  const ids: string[] = [];
  for (let index = 0; index < 120; index += 1) {
    const position = { longitude: -10 + ((index * 7) % 40), latitude: 36 + ((index * 11) % 28) };
    const body = { name: `Sensor ${index}`, machine_type: 'bug', position };
    const made = await post(`${origin}/service/resources`, ann.key, body);
    ids.push(((await made.json()) as { id: string }).id);
  }
  const resources = ids.map((resource_id) => ({ resource_id, resource_type: 'producer' }));
  const body = { name: 'Rivers', description: 'Levels of rivers', resources };
  const made = await post(`${origin}/service/swarms`, ann.key, body);
  return { ':id': ids[7]!, ':swarm': ((await made.json()) as { id: string }).id };
}

/** Both visits. */
async function visitTwice(browser: Browser, origin: string, visit: Visit): Promise<Measured[]> {
  const context = await browser.newContext({ ...visit.device, reducedMotion: 'reduce' });
  await context.request.post(`${origin}/auth/sign-in/username`, {
    data: { username: 'ann', password: 'correct horse battery' },
    headers: { origin },
  });
  const measured = [await load(context, origin, visit), await load(context, origin, visit)];
  await context.close();
  return measured;
}

async function load(context: BrowserContext, origin: string, { path, text, map = false }: Visit): Promise<Measured> {
  const page = await context.newPage();
  await page.addInitScript(watchStart, text);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slow.latency,
    downloadThroughput: slow.download,
    uploadThroughput: slow.upload,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow.processor });
  await page.goto(origin + path, { waitUntil: 'commit' });
  await page.waitForFunction((withMap) => started.list > 0 && (!withMap || started.map > 0), map, { timeout: 60_000 });
  await page.waitForTimeout(settles);
  const measured = await page.evaluate(() => {
    const usable = Math.max(started.list, started.map);
    const code = performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < usable)
      .reduce((sum, { transferSize, encodedBodySize }) => sum + (transferSize && encodedBodySize), 0);
    return { ...started, code: code / 1000 };
  });
  await page.waitForTimeout(stores);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  await page.close();
  return measured;
}

declare global {
  var started: Omit<Measured, 'code'>;
}

/** For `page.addInitScript`: does not use anything outside itself. */
function watchStart(text: string): void {
  globalThis.started = { list: 0, map: 0, blocked: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) started.blocked += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) started.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  const painted = (act: (now: number) => void) => requestAnimationFrame(() => setTimeout(() => act(performance.now())));
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main')?.textContent.includes(text)) return;
    observer.disconnect();
    painted((now) => (started.list = now));
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  let drawn = false;
  for (const name of ['fill', 'drawImage'] as const) {
    const original = CanvasRenderingContext2D.prototype[name] as (...args: unknown[]) => void;
    Object.assign(CanvasRenderingContext2D.prototype, {
      [name](this: CanvasRenderingContext2D, ...args: unknown[]) {
        original.apply(this, args);
        if (drawn || !(this.canvas instanceof HTMLCanvasElement) || this.canvas.className.indexOf('map-symbols') < 0)
          return;
        drawn = true;
        painted((now) => (started.map = now));
      },
    });
  }
}

const root = join(import.meta.dirname, '../..');
await using own = await startSwarmdeck();
await using other = against ? await startSwarmdeck({ clone: relative(root, against) }) : undefined;
const clones = [...(other ? [{ name: 'before', ...other }] : []), { name: other ? 'now' : '', ...own }];
const browser = await chromium.launch({ executablePath: provideBrowser({ shell: true }), args: browserArguments });
const prepared = new Map<string, Record<string, string>>();
for (const { origin } of clones) prepared.set(origin, await prepare(origin));

console.log(`${machine()}, ${browser.version()}\nmedian of ${rounds}; at most in brackets\n`);
console.log(`${''.padEnd(36)} list, ms      map, ms   blocked, ms  layout shift   code, kB`);
for (const entry of visits) {
  const results = clones.map(() => [] as Measured[][]);
  for (let round = 0; round < rounds; round += 1) {
    const order = clones.map((clone, index) => ({ clone, index }));
    for (const { clone, index } of round % 2 === 0 ? order : order.toReversed()) {
      const path = entry.path.replace(/:\w+/, (name) => prepared.get(clone.origin)![name]!);
      results[index]!.push(await visitTwice(browser, clone.origin, { ...entry, path }));
    }
  }
  for (const [number, when] of ['first', 'second'].entries())
    for (const [index, measured] of results.entries()) {
      const column = (key: keyof Measured, digits = 0) => {
        const values = measured.map((visits) => visits[number]![key]);
        return `${median(values).toFixed(digits)} (${Math.max(...values).toFixed(digits)})`.padStart(13);
      };
      const title = `${entry.what}, ${when} ${clones[index]!.name}`.padEnd(34);
      console.log(title + column('list') + column('map') + column('blocked') + column('shift', 3) + column('code', 1));
    }
}
await browser.close();
