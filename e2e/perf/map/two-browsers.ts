import type { Page } from 'playwright';
import { median, percentile, sleep } from '../harness.ts';
import { openPage } from './browser.ts';
import { signIn } from './device-map.ts';
import type { Fleet } from './fleet.ts';

const turns = 200;
/** In the middle of an ocean, where no device of the fleet is. */
const home = { longitude: -150, latitude: -70 };

/** A device moves by PUT with its key: how long until its marker has moved in two browsers, one with motion. */
export async function movesInTwoBrowsers({ url, key }: Fleet): Promise<string> {
  const headers = { 'x-serviceapikey': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Wanderer', machine_type: 'bug', position: home });
  const made = await fetch(`${url}/service/resources`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };

  await using still = await openPage();
  await using gliding = await openPage();
  await gliding.page.emulateMedia({ reducedMotion: 'no-preference' });
  for (const { page } of [still, gliding]) {
    await signIn(page, { url });
    const live = page.waitForResponse((response) => response.url().includes('/api/events'));
    await page.goto(`${url}/?map=9/${home.latitude}/${home.longitude}`);
    await page.waitForFunction(() => watch.first > 0);
    await live;
  }

  const times: { jumped: number; begun: number; arrived: number }[] = [];
  for (let turn = 0; turn < turns; turn++) {
    await sleep(350 + Math.random() * 200);
    for (const { page } of [still, gliding]) await page.evaluate(() => (watch.firstChanged = 0));
    const position = { ...home, longitude: home.longitude + (turn % 2 ? 0.1 : -0.1) };
    const from = performance.timeOrigin + performance.now();
    await fetch(`${url}/service/resources/${id}`, { method: 'PUT', headers, body: JSON.stringify({ position }) });
    const [jumped, begun] = await Promise.all([seen(still.page), seen(gliding.page)]);
    await sleep(250);
    const arrived = await gliding.page.evaluate(() => watch.changed);
    times.push({ jumped: jumped - from, begun: begun - from, arrived: arrived - from });
  }
  await fetch(`${url}/service/resources/${id}`, { method: 'DELETE', headers });
  const line = (what: keyof (typeof times)[0]) => {
    const all = times.map((each) => each[what]);
    return `${median(all).toFixed(0)} (p95 ${percentile(all, 0.95).toFixed(0)})`;
  };
  return (
    `A PUT with a key until the marker has moved, ms, ${turns} moves: ${line('jumped')}; ` +
    `in a browser with motion it sets off after ${line('begun')} and is there after ${line('arrived')}.`
  );
}

async function seen(page: Page): Promise<number> {
  const changed = await page.waitForFunction(() => watch.firstChanged, undefined, { polling: 'raf' });
  return changed.jsonValue();
}
