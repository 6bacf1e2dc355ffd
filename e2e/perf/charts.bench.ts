/**
 * `npm run bench -- charts`: the charts of a device in Chromium at a quarter of its speed, as on a phone. How long it takes to draw
 * a year of eight numbers, each in its own chart and all in one, from the click on a range: charts that are not near the screen of
 * 1440 x 900 wait, so it says how many are drawn. Then the longest frame while 1,000 values a second arrive. The values are made here,
 * so that only the page is measured. Prints a table; asserts nothing.
 */
import type { Page } from 'playwright';
import { machine, median, post, signUp, sleep, startSwarmdeck } from './harness.ts';
import { openPage } from './map/browser.ts';

const rounds = Number(process.env['ROUNDS'] ?? 7);
const keys = ['temperature', 'humidity', 'pressure', 'volts', 'wind', 'rain', 'light', 'level'];
const hour = 3_600_000;
/** The server answers with at most 1,000. More than it has: every hour of a year. */
const points = Number(process.env['POINTS'] ?? 8760);
const liveSeconds = 10;

await using server = await startSwarmdeck();
const { origin } = server;
const ann = await signUp(origin, 'ann');
const made = async (path: string, body: object) =>
  (await (await post(`${origin}/service/${path}`, ann.key, body)).json()) as { id: string };
const device = await made('resources', { name: 'Buoy', machine_type: 'bug', keep_values: 'sent_at' });
const resources = [{ resource_id: device.id, resource_type: 'producer' }];
const swarm = await made('swarms', { name: 'Harbour', description: '', resources });

await using bench = await openPage();
const { page } = bench;
const data = { username: 'ann', password: 'correct horse battery' };
await page.request.post(`${origin}/auth/sign-in/username`, { data, headers: { origin } });
await page.addInitScript(takeStream);
await page.route('**/values?*', (route) => route.fulfill({ headers: { 'x-swarmdeck': '1' }, json: yearOfValues() }));
const session = await page.context().newCDPSession(page);

console.log(`${machine()}\n`);
await page.goto(`${origin}/devices/${device.id}`);
// As many charts as the screen has space for.
await page.locator('.values-tools').evaluate((tools) => tools.scrollIntoView());
await page.locator('.chart canvas').first().waitFor();
await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
for (const isTogether of [false, true]) {
  if (isTogether) await page.getByRole('switch', { name: 'In one chart' }).click();
  // Both are read.
  for (const range of ['1 year', '30 days']) {
    await redraw(page, range);
    await sleep(2000);
  }
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await redraw(page, round % 2 === 0 ? '1 year' : '30 days'));
  const seen = await page.locator('.chart canvas').count();
  const shown = isTogether ? 'in one chart' : `in eight charts, of which ${seen} are on the screen or near it`;
  console.log(
    `${keys.length} x ${points} values ${shown}: ${median(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)}`,
  );
}

await page.getByRole('radio', { name: '1 hour' }).check({ force: true });
await sleep(2000);
await page.evaluate(() => {
  watch.longTasks = [];
  watch.frames = [];
  watch.recording = true;
});
await sendLive(page, liveSeconds);
const { frames, longest } = await page.evaluate(() => {
  watch.recording = false;
  return { frames: watch.frames, longest: Math.max(0, ...watch.longTasks) };
});
console.log(
  `1,000 values a second: ${frames.length} frames, the longest ${Math.max(...frames).toFixed(0)} ms, the longest task ${longest.toFixed(0)} ms (0: under 50)`,
);

/** The time from a click on a range, whose values are known, until the charts are drawn, in ms. */
async function redraw(page: Page, range: string): Promise<number> {
  return page.evaluate(async (name) => {
    const radios = [...document.querySelectorAll<HTMLInputElement>('.values-tools input[type="radio"]')];
    // Its label has a short name too.
    const radio = radios.find(({ labels }) => labels?.[0]?.textContent.startsWith(name));
    if (!radio) throw new Error(`There is no range "${name}"`);
    const { clearRect } = CanvasRenderingContext2D.prototype;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let drawn = 0;
    CanvasRenderingContext2D.prototype.clearRect = function clear(...box) {
      clearRect.apply(this, box);
      // The chart is drawn in the same task.
      queueMicrotask(() => (drawn = performance.now()));
    };
    const clicked = performance.now();
    radio.click();
    // The charts below each other may be drawn in several frames.
    for (let quiet = 0, last = 0; quiet < 10; quiet = drawn > 0 && last === drawn ? quiet + 1 : 0) {
      last = drawn;
      await frame();
    }
    Object.assign(CanvasRenderingContext2D.prototype, { clearRect });
    return drawn - clicked;
  }, range);
}

/** Eight values in a message, 125 messages a second, in the parts in which the stream has them. */
async function sendLive(page: Page, seconds: number): Promise<void> {
  await page.evaluate(
    async ({ device_id, swarm_id, names, length }) => {
      const send = (globalThis as unknown as { toStream(event: object): void }).toStream;
      let sent = 0;
      for (let part = 0; part < length * 10; part++) {
        const items = Array.from({ length: 12 + (part % 2) }, () => {
          const number = sent++;
          const values = Object.fromEntries(names.map((name, index) => [name, 20 + index + Math.sin(number / 40)]));
          const id = String(number);
          return { id, message_id: id, swarm_id, from: device_id, sent_at: new Date().toISOString(), payload: values };
        });
        send({ id: '1', type: 'message.sent', at: new Date().toISOString(), data: { swarm_id, items, skipped: 0 } });
        await new Promise((done) => setTimeout(done, 100));
      }
    },
    { device_id: device.id, swarm_id: swarm.id, names: keys, length: seconds },
  );
}

/** For `page.addInitScript`: lets the bench send events to the page. */
function takeStream(): void {
  const streams = new Set<EventSource>();
  const Real = globalThis.EventSource;
  globalThis.EventSource = class extends Real {
    constructor(url: string | URL, options?: EventSourceInit) {
      super(url, options);
      streams.add(this);
    }
  };
  Object.assign(globalThis, {
    toStream(event: object) {
      for (const stream of streams) stream.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }));
    },
  });
}

function yearOfValues() {
  const to = Math.floor(Date.now() / hour) * hour;
  const times = Array.from({ length: points }, (_, index) => to - (points - 1 - index) * hour);
  const series = keys.map((key, number) => {
    const values = times.map(
      (_, index) => Math.round(100 * (20 + number + 5 * Math.sin(index / 24) + Math.random())) / 100,
    );
    const around = (by: number) => values.map((value) => value + by);
    const count = values.map(() => 12);
    return { key, kind: 'number', times, values, first: values, last: values, min: around(-1), max: around(1), count };
  });
  return {
    from: new Date(times[0]!).toISOString(),
    to: new Date(to + hour).toISOString(),
    step: 3600,
    kept_since: new Date(times[0]!).toISOString(),
    is_full: false,
    series,
  };
}
