/**
 * `npm run bench -- swarm-chart`: the chart of a swarm in Chromium while its devices send 1,000 values a second. First an hour of them,
 * 20 times as fast: the heap every ten minutes. Then two minutes in real time, with that hour in the chart: the processor time of the
 * page and of the whole browser. The events are made here, so that only the page is measured. Prints a table; asserts nothing.
 */
import type { Page } from 'playwright';
import { machine, post, signUp, sleep, startSwarmdeck } from './harness.ts';
import { openPage } from './map/browser.ts';

const devices = 40;
const keys = Array.from({ length: 25 }, (_, index) => `value_${index}`);
const hourSeconds = 3600;
const minutes = Number(process.env['MINUTES'] ?? 60);
const faster = 20;
const realSeconds = 120;

await using server = await startSwarmdeck();
const { origin } = server;
const ann = await signUp(origin, 'ann');
const made = async (path: string, body: object) =>
  (await (await post(`${origin}/service/${path}`, ann.key, body)).json()) as { id: string };
const ids: string[] = [];
for (let number = 1; number <= devices; number += 1)
  ids.push((await made('resources', { name: `Buoy ${number}`, machine_type: 'bug' })).id);
const resources = ids.map((resource_id) => ({ resource_id, resource_type: 'producer' }));
const swarm = await made('swarms', { name: 'Harbour', description: '', resources });

await using bench = await openPage();
const { page } = bench;
const data = { username: 'ann', password: 'correct horse battery' };
await page.request.post(`${origin}/auth/sign-in/username`, { data, headers: { origin } });
await page.addInitScript(takeStream);

console.log(`${machine()}\n`);
await page.goto(`${origin}/swarms/${swarm.id}?tab=values`);
// Until the stream is there.
await sleep(5000);
await sendValues(page, { from: Date.now() - hourSeconds * 1000, seconds: 5, everyMs: 200 });
await page.locator('.chart canvas').first().waitFor();
const start = Date.now() - hourSeconds * 1000;
for (let minute = 0; minute < minutes; minute += 10) {
  await sendValues(page, { from: start + minute * 60_000, seconds: 600, everyMs: 1000 / faster });
  const { process, heap } = await bench.memory();
  console.log(`after ${minute + 10} minutes: heap ${heap.toFixed(1)} MB, process ${process.toFixed(0)} MB`);
}
// What it takes to make the events is no part of the page.
const making = await sharesOfCore({ isSent: false });
const all = await sharesOfCore({ isSent: true });
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
console.log(
  `1,000 values a second: the page ${percent(all.page - making.page)} of a core, the browser ${percent(all.browser - making.browser)}` +
    ` (and ${percent(making.page)} for making the events)`,
);

/** Of the page and of the whole browser, in real time. */
async function sharesOfCore({ isSent }: { isSent: boolean }): Promise<{ page: number; browser: number }> {
  const before = await cpuTimes(page);
  const began = performance.now();
  await sendValues(page, { from: Date.now(), seconds: realSeconds, everyMs: 100, isSent });
  const took = (performance.now() - began) / 1000;
  const after = await cpuTimes(page);
  return { page: (after.page - before.page) / took, browser: (after.browser - before.browser) / took };
}

/** All keys of all devices once a second, in the parts in which the stream has them. */
async function sendValues(
  target: Page,
  options: { from: number; seconds: number; everyMs: number; isSent?: boolean },
): Promise<void> {
  await target.evaluate(
    async ({ from, seconds, everyMs, ids, swarm_id, keys, isSent = true }) => {
      const { toStream } = globalThis as unknown as { toStream(event: object): void };
      const send = isSent ? toStream : (event: object) => new MessageEvent('message', { data: JSON.stringify(event) });
      const parts = everyMs >= 100 ? Math.max(1, Math.round(1000 / everyMs)) : 1;
      const began = performance.now();
      for (let part = 0; part < seconds * parts; part += 1) {
        const at = new Date(from + (1000 * part) / parts).toISOString();
        const items = ids
          .filter((_, index) => index % parts === part % parts)
          .map((device) => {
            const values = Object.fromEntries(keys.map((key, index) => [key, 20 + index + Math.sin(part / 40)]));
            const id = `${device}-${from}-${part}`;
            return { id, message_id: id, swarm_id, from: device, sent_at: at, payload: values };
          });
        send({ id: '1', type: 'message.sent', at, data: { swarm_id, items, skipped: 0 } });
        const wait = began + (part + 1) * everyMs - performance.now();
        await new Promise((done) => setTimeout(done, Math.max(0, wait)));
      }
    },
    { ...options, ids, swarm_id: swarm.id, keys },
  );
}

/** In seconds. */
async function cpuTimes(target: Page): Promise<{ page: number; browser: number }> {
  const session = await target.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const times = processInfo.map(({ cpuTime }) => cpuTime);
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ cpuTime }) => cpuTime);
  return { page: Math.max(...pages), browser: times.reduce((sum, time) => sum + time, 0) };
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
