/**
 * A Chromium with one page, over its own protocol. Playwright would keep a record of every request, and have the page
 * keep every answer: in an hour that is what would grow.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { browserArguments, provideBrowser } from '../../../.tools/browser.ts';
import { sleep } from '../harness.ts';

interface WallPage extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Of an expression in the page; a promise is waited for. */
  evaluate<T>(expression: string): Promise<T>;
  until(expression: string, withinMs: number): Promise<void>;
  /** In MB: what JavaScript needs once the rest is collected, and all that the page's process has resident. */
  memory(): Promise<{ heap: number; renderer: number }>;
  screenshot(file: string): Promise<void>;
}

type Reply = { id: number; result: Record<string, unknown>; error?: { message: string } };

export async function openWallPage({ before }: { before: () => void }): Promise<WallPage> {
  const profile = mkdtempSync(join(tmpdir(), 'swarmdeck-wall-'));
  const size = ['--window-size=1440,900', '--hide-scrollbars', `--user-data-dir=${profile}`];
  const args = [...browserArguments, '--headless=new', '--remote-debugging-port=0', ...size, 'about:blank'];
  const child = spawn(provideBrowser(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const send = await connectTo(await addressOf(child.stderr));
  const { targetInfos } = (await send('Target.getTargets')) as { targetInfos: { type: string; targetId: string }[] };
  const { targetId } = targetInfos.find(({ type }) => type === 'page')!;
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params = {}) => send(method, params, sessionId as string);

  await page('Page.enable');
  const viewport = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
  await page('Emulation.setDeviceMetricsOverride', viewport);
  await page('Page.addScriptToEvaluateOnNewDocument', { source: `(${before.toString()})()` });

  async function evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = (await page('Runtime.evaluate', asked)) as {
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description: string } };
    };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  return {
    evaluate,
    async open(url) {
      await page('Page.navigate', { url });
      await sleep(500);
    },
    async until(expression, withinMs) {
      const deadline = performance.now() + withinMs;
      while (!(await evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
        if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${expression}`);
        await sleep(50);
      }
    },
    async memory() {
      for (let turn = 0; turn < 3; turn++) await page('HeapProfiler.collectGarbage');
      const { usedSize } = await page('Runtime.getHeapUsage');
      const { processInfo } = (await send('SystemInfo.getProcessInfo')) as {
        processInfo: { type: string; id: number }[];
      };
      const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => resident(id));
      return { heap: (usedSize as number) / 1e6, renderer: Math.max(...renderers) };
    },
    async screenshot(file) {
      const { data } = await page('Page.captureScreenshot', { format: 'png' });
      writeFileSync(file, Buffer.from(data as string, 'base64'));
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      await send('Browser.close').catch(() => {});
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const found = /DevTools listening on (\S+)/.exec(line);
    if (found) {
      stderr.resume();
      return found[1]!;
    }
  }
  throw new Error('Chromium did not start');
}

async function connectTo(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('no way into Chromium')));
  });
  const waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium has ended'));
  });
  return async (method: string, params = {}, sessionId?: string): Promise<Record<string, unknown>> => {
    const id = ++last;
    const reply = await new Promise<Reply>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    });
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result;
  };
}

function resident(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
