import { readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright';
import { browserArguments, provideBrowser } from '../../../.tools/browser.ts';
import { sleep } from '../harness.ts';
import { watchPage } from './watch.ts';

const executablePath = provideBrowser();
/** In ms: start-up work of a new browser. */
const settledMs = 2000;

export interface BenchPage extends AsyncDisposable {
  page: Page;
  /** Bytes received for URLs whose path starts with `path`. */
  bytes(path: string): number;
  /** The private memory of the page's process and its JavaScript heap, in MB, after garbage collection. */
  memory(): Promise<{ process: number; heap: number }>;
}

/** A page in its own browser, 1440 x 900. Reduced motion, so that moves are not animated. */
export async function openPage(): Promise<BenchPage> {
  const browser = await chromium.launch({ executablePath, args: browserArguments });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  await sleep(settledMs);
  const answers: { path: string; bytes: number }[] = [];
  page.on('requestfinished', async (request) => {
    const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }));
    answers.push({ path: new URL(request.url()).pathname, bytes: responseBodySize });
  });
  return {
    page,
    bytes: (path) =>
      answers.filter((answer) => answer.path.startsWith(path)).reduce((sum, { bytes }) => sum + bytes, 0),
    async memory() {
      const session = await context.newCDPSession(page);
      for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      const ofBrowser = await browser.newBrowserCDPSession();
      const { processInfo } = await ofBrowser.send('SystemInfo.getProcessInfo');
      const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => privateMegabytes(id));
      return { process: Math.max(...renderers), heap: usedSize / 1e6 };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function privateMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/Private_Dirty:\s+(\d+)/.exec(rollup)?.[1] ?? 0) / 1000;
}
