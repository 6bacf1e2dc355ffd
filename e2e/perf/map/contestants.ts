import type { Page } from 'playwright';
import type { BenchPage } from './browser.ts';
import type { Fleet } from './fleet.ts';
import type { PeerBench } from './peers/main.ts';
import type { PeersSite } from './peers-site.ts';

/** One of the maps that are measured. */
export interface Contestant {
  name: string;
  /**
   * Opens the map. Resolves when its devices are visible: `shown` is the time since navigation, `fromData` since the
   * data arrived, in ms.
   */
  open(bench: BenchPage): Promise<{ shown: number; fromData: number; bytes: number }>;
  /**
   * Moves `count` devices. Resolves when the moves are visible, with the times in ms: in total, from data to visible,
   * and from data to drawn, which is one or two frames earlier.
   */
  move(page: Page, count: number): Promise<{ seen: number; fromData: number; drawn: number }>;
}

export const password = 'correct horse battery';
/** The first view of all maps (peers/peer.ts). */
export const view = 'map=3/30/20';

/** Signs the page's browser in to the server of a fleet. */
export async function signIn(page: Page, { url }: Pick<Fleet, 'url'>): Promise<void> {
  const data = { username: 'bench', password };
  const answer = await page.request.post(`${url}/auth/sign-in/username`, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(await answer.text());
}

const now = () => performance.timeOrigin + performance.now();

/**
 * The home page of Swarmdeck. `fromData` starts with the request for the symbols. A move starts before its commit; its
 * `fromData` starts with the request that the event causes.
 */
export function swarmdeck(fleet: Fleet): Contestant {
  return {
    name: 'Swarmdeck',
    async open({ page, bytes }) {
      await signIn(page, fleet);
      const live = page.waitForResponse((response) => response.url().includes('/api/events'));
      await page.goto(`${fleet.url}/?${view}`);
      await page.waitForFunction(() => watch.first > 0, undefined, { timeout: 120_000 });
      const { shown, asked } = await page.evaluate(() => {
        const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/map?'));
        const before = answers.filter((answer) => (answer as PerformanceResourceTiming).responseEnd <= watch.first);
        return { shown: watch.first, asked: before.at(-1)?.startTime ?? 0 };
      });
      const size = bytes('/api/map');
      await live;
      return { shown, fromData: shown - asked, bytes: size };
    },
    async move(page, count) {
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
    },
  };
}

export function peer(site: PeersSite, name: string): Contestant {
  return {
    name,
    async open({ page, bytes }) {
      const failed = new Promise<never>((_resolve, reject) => page.once('pageerror', reject));
      await page.goto(`${site.origin}/?peer=${name}`);
      await Promise.race([page.waitForFunction(() => 'bench' in globalThis, undefined, { timeout: 300_000 }), failed]);
      const { shown, fromData } = await page.evaluate(() => {
        const { shown, fromData } = (globalThis as unknown as { bench: PeerBench }).bench;
        return { shown, fromData };
      });
      return { shown, fromData, bytes: bytes('/points.bin') };
    },
    async move(page, count) {
      const { seen, drawn } = await page.evaluate(
        (many) => (globalThis as unknown as { bench: PeerBench }).bench.move(many),
        count,
      );
      return { seen, fromData: seen, drawn };
    },
  };
}
