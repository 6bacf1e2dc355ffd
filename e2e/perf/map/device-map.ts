import type { Page } from 'playwright';
import type { BenchPage } from './browser.ts';
import type { Fleet } from './fleet.ts';

const password = 'correct horse battery';
export const view = 'map=3/30/20';

/** Signs the page's browser in to the server of a fleet. */
export async function signIn(page: Page, { url }: Pick<Fleet, 'url'>): Promise<void> {
  const data = { username: 'bench', password };
  const answer = await page.request.post(`${url}/auth/sign-in/username`, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(await answer.text());
}

/** The machine may be busy. */
const patience = { timeout: 120_000 };
const now = () => performance.timeOrigin + performance.now();

/**
 * Opens the home page, and waits until its devices are visible. `shown` is the time since navigation, `fromData` since the
 * request for the symbols, in ms.
 */
export async function openMap({ page, bytes }: BenchPage, fleet: Fleet) {
  await signIn(page, fleet);
  const live = page.waitForResponse((response) => response.url().includes('/api/events'), patience);
  await page.goto(`${fleet.url}/?${view}`);
  await page.waitForFunction(() => watch.first > 0, undefined, patience);
  const { shown, asked } = await page.evaluate(() => {
    const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/map?'));
    const before = answers.filter((answer) => (answer as PerformanceResourceTiming).responseEnd <= watch.first);
    return { shown: watch.first, asked: before.at(-1)?.startTime ?? 0 };
  });
  const size = bytes('/api/map');
  await live;
  return { shown, fromData: shown - asked, bytes: size };
}

/**
 * Moves `count` devices, and waits until the moves are visible. In ms: `seen` since before their commit, `fromData` since
 * the request that the event causes, and `drawn` from there until they were drawn, which is one or two frames earlier.
 */
export async function moveDevices(page: Page, { fleet, count }: { fleet: Fleet; count: number }) {
  await page.evaluate(() => (watch.firstChanged = 0));
  const from = now();
  await fleet.move(count);
  await page.waitForFunction(() => watch.firstChanged, undefined, { polling: 'raf' });
  const { changed, drawn, asked } = await page.evaluate(() => {
    const { firstChanged: changed, firstDrawn: drawn } = watch;
    const asked = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/map?'))
      .map((answer) => performance.timeOrigin + answer.startTime)
      .filter((at) => at < drawn);
    return { changed, drawn, asked: asked.at(-1) ?? 0 };
  });
  return { seen: changed - from, fromData: changed - asked, drawn: drawn - asked };
}
