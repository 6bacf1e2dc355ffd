import type { Page } from 'playwright';
import { median, percentile, sleep } from '../harness.ts';
import { openPage } from './browser.ts';
import { moveDevices, openMap } from './device-map.ts';
import type { Fleet } from './fleet.ts';

export interface Measured {
  /** In ms, from navigation. */
  shown: number;
  /** In ms. */
  fromData: number;
  /** In ms, the longest task; 0 if none took 50 ms or more. */
  longest: number;
  /** In ms, the 95th percentile of the frames while panning and zooming, with 5 x 1,000 moves a second. */
  frame: number;
  /** In ms, the longest task while panning and zooming. */
  longestMoving: number;
  /** In ms, until 1,000 moves are visible: in total, from data to visible, and from data to drawn. */
  moved: number;
  movedFromData: number;
  movedDrawn: number;
  /** In MB. */
  memory: number;
  heap: number;
  bytes: number;
}

const moves = 1000;
const movesEveryMs = 200;
const seconds = 5;
/** Enough repetitions that the median is not one of the first, slower moves. */
const turns = 15;

/** The private memory of the page's process, in MB. */
export async function memoryOf(fleet: Fleet): Promise<number> {
  await using bench = await openPage();
  await openMap(bench, fleet);
  await sleep(1000);
  return (await bench.memory()).process;
}

/** Measures the map in a new browser. */
export async function measure(fleet: Fleet): Promise<Measured> {
  await using bench = await openPage();
  const { page } = bench;
  const { shown, fromData, bytes } = await openMap(bench, fleet);
  await sleep(1000);
  const longest = await longestTask(page);
  const { process: memory, heap } = await bench.memory();

  const times: { seen: number; fromData: number; drawn: number }[] = [];
  for (let turn = 0; turn < turns; turn++) {
    times.push(await moveDevices(page, { fleet, count: moves }));
    await sleep(300);
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => (watch.longTasks = []));
  const frame = await frameUnderMoves(page, fleet);
  return {
    shown,
    fromData,
    longest,
    frame,
    longestMoving: await longestTask(page),
    moved: median(times.map(({ seen }) => seen)),
    movedFromData: median(times.map(({ fromData }) => fromData)),
    movedDrawn: median(times.map(({ drawn }) => drawn)),
    memory,
    heap,
    bytes,
  };
}

const longestTask = (page: Page) => page.evaluate(() => Math.max(0, ...watch.longTasks));

async function frameUnderMoves(page: Page, fleet: Fleet): Promise<number> {
  const until = performance.now() + seconds * 1000;
  // the next moves start only when the previous ones are visible
  const keepMoving = async () => {
    while (performance.now() < until)
      await Promise.all([moveDevices(page, { fleet, count: moves }), sleep(movesEveryMs)]);
  };
  await page.evaluate(() => (watch.recording = true));
  const moving = keepMoving();
  while (performance.now() < until) await panAndZoom(page);
  await moving;
  const frames = await page.evaluate(() => {
    watch.recording = false;
    return watch.frames;
  });
  return percentile(frames, 0.95);
}

/** 400 px to the left and back, one zoom in and out. */
async function panAndZoom(page: Page): Promise<void> {
  const at = { x: 900, y: 450 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x - 400, at.y + 60, { steps: 40 });
  await page.mouse.move(at.x, at.y, { steps: 40 });
  await page.mouse.up();
  await page.mouse.wheel(0, -100);
  await sleep(400);
  await page.mouse.wheel(0, 100);
  await sleep(400);
}
