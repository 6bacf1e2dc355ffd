/**
 * `npm run bench -- basemap`: the built-in map in Chromium. What a first visit loads and when it sees something, then, at
 * each zoom, how long 95 of 100 frames take while the map is dragged over the middle of Europe, with the longest task of the page.
 * With MAP_FILE, which must have vector tiles of Berlin, also how long after the symbols the first streets are seen, in ROUNDS
 * (5) browsers, in the first and in the second visit. Prints tables; asserts nothing. Two minutes.
 */
import type { Page } from 'playwright';
import { machine, median, percentile, post, signUp, sleep, startSwarmdeck } from './harness.ts';
import { openPage } from './map/browser.ts';

const zooms = [2, 4, 6, 8, 10, 14];
const seconds = 5;
/** In the part of the page that no panel covers, in px. */
const from = { x: 1300, y: 450 };
const reach = 520;

await using server = await startSwarmdeck();
const { origin } = server;
const ann = await signUp(origin, 'ann');
for (let index = 0; index < 200; index += 1) {
  const position = { longitude: -10 + ((index * 7) % 40), latitude: 36 + ((index * 11) % 28) };
  await post(`${origin}/service/resources`, ann.key, { name: `Sensor ${index}`, machine_type: 'bug', position });
}

await using bench = await openPage();
const { page } = bench;
await prepare(page);

console.log(`${machine()}\n`);
await page.goto(`${origin}/?map=4/52.5/13.4`);
await page.waitForFunction(() => painted.names > 0);
await page.waitForLoadState('networkidle');
console.log('first visit, zoom 4            bytes   ms from navigation');
for (const { what, bytes, at } of await firstVisit(page)) {
  console.log(`${what.padEnd(28)} ${String(bytes ?? '').padStart(7)} ${(at?.toFixed(0) ?? '').padStart(8)}`);
}

console.log('\nzoom   frames  p95 ms  longest task, ms (0: under 50)');
await page.emulateMedia({ reducedMotion: 'no-preference' });
for (const zoom of zooms) {
  await page.goto(`${origin}/?map=${zoom}/52.5/13.4`);
  await page.waitForFunction(() => painted.names > 0);
  await page.waitForLoadState('networkidle');
  // The data of this zoom is decoded by then.
  await sleep(2000);
  await drag(page, 1);
  await page.evaluate(() => {
    watch.longTasks = [];
    watch.frames = [];
    watch.recording = true;
  });
  await drag(page, seconds);
  const { frames, longest } = await page.evaluate(() => {
    watch.recording = false;
    return { frames: watch.frames, longest: Math.max(0, ...watch.longTasks) };
  });
  const p95 = percentile(frames, 0.95).toFixed(1);
  console.log(
    `${String(zoom).padStart(4)} ${String(frames.length).padStart(8)} ${p95.padStart(7)} ${longest.toFixed(0).padStart(7)}`,
  );
}

if (process.env['MAP_FILE']) {
  const berlin = { longitude: 13.4, latitude: 52.5 };
  await post(`${origin}/service/resources`, ann.key, { name: 'Berlin', machine_type: 'pc', position: berlin });
  const rounds: [first: number, second: number][] = [];
  for (let round = 0; round < Number(process.env['ROUNDS'] ?? 5); round += 1) rounds.push(await firstStreets());
  for (const [visit, name] of ['first', 'second'].entries()) {
    const times = rounds.map((round) => round[visit]!);
    const [middle, most] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(0));
    console.log(`\nstreets after the symbols, ${name} visit: ${middle} ms, at most ${most} ms`);
  }
}

async function prepare(page: Page): Promise<void> {
  await page.addInitScript(notePaint);
  const data = { username: ann.name, password: 'correct horse battery' };
  await page.request.post(`${origin}/auth/sign-in/username`, { data, headers: { origin } });
}

async function firstStreets(): Promise<[first: number, second: number]> {
  await using other = await openPage();
  await prepare(other.page);
  const visit = async () => {
    await other.page.goto(`${origin}/?map=14/52.5/13.4`);
    await other.page.waitForFunction(() => watch.first > 0 && painted.streets > 0);
    return other.page.evaluate(() => painted.streets - watch.first);
  };
  const first = await visit();
  // The browser stores the app, which a visit that begins meanwhile would wait for.
  await other.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await sleep(6000);
  return [first, await visit()];
}

/** Drags left and right, at the speed of a hand. */
async function drag(page: Page, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    // Twice in one direction, so that the map reaches new areas.
    const direction = turn % 4 < 2 ? -1 : 1;
    const start = direction < 0 ? from.x : from.x - reach;
    await page.mouse.move(start, from.y);
    await page.mouse.down();
    for (let step = 1; step <= 30 && performance.now() < until; step += 1) {
      await page.mouse.move(start + (direction * reach * step) / 30, from.y + 40 * Math.sin(step / 5));
      await sleep(12);
    }
    await page.mouse.up();
  }
}

async function firstVisit(page: Page): Promise<{ what: string; bytes?: number; at?: number }[]> {
  const { resources, land, names } = await page.evaluate(() => ({
    resources: performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, encodedBodySize, startTime }) => ({ path: new URL(name).pathname, encodedBodySize, startTime })),
    land: painted.land,
    names: painted.names,
  }));
  const sum = (which: (entry: (typeof resources)[number]) => boolean) =>
    resources.filter(which).reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
  const isCode = ({ path }: { path: string }) => /\.(js|css)$/.test(path);
  return [
    { what: 'code until land is seen', bytes: sum((entry) => isCode(entry) && entry.startTime < land), at: land },
    { what: 'code until names are seen', bytes: sum((entry) => isCode(entry) && entry.startTime < names), at: names },
    { what: 'outlines and names', bytes: sum(({ path }) => path.endsWith('.bin')) },
    { what: 'in all', bytes: sum(() => true) },
  ];
}

declare global {
  /** When land, names and streets were first painted, in ms from navigation. */
  var painted: { land: number; names: number; streets: number };
}

/** For `page.addInitScript`: it must not use outer variables. */
function notePaint(): void {
  globalThis.painted = { land: 0, names: 0, streets: 0 };
  const { drawImage, fill, strokeText } = CanvasRenderingContext2D.prototype;
  const isOf = ({ canvas }: CanvasRenderingContext2D, name: string) =>
    canvas instanceof HTMLCanvasElement && canvas.classList.contains(name);
  CanvasRenderingContext2D.prototype.fill = function note(this: CanvasRenderingContext2D, ...args: unknown[]) {
    if (args[0] === 'evenodd' && isOf(this, 'map-tile')) painted.land ||= performance.now();
    Reflect.apply(fill, this, args);
  };
  CanvasRenderingContext2D.prototype.drawImage = function note(this: CanvasRenderingContext2D, ...args: unknown[]) {
    if (isOf(this, 'map-raster-tile')) painted.streets ||= performance.now();
    Reflect.apply(drawImage, this, args);
  };
  CanvasRenderingContext2D.prototype.strokeText = function note(...args) {
    if (isOf(this, 'map-names')) painted.names ||= performance.now();
    strokeText.apply(this, args);
  };
}
