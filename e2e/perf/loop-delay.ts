/**
 * Loaded into a server by `node --import`. Responds to each message with the values since the previous one: how long
 * the event loop was blocked, and the processor time of its turns, which does not depend on other programs, both in
 * milliseconds; and the memory of the process in megabytes. `threads`: the longest turn of each other thread,
 * by the name of its file, and the statement that it was asked for.
 */
import { basename } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, parentPort } from 'node:worker_threads';

export interface Inside {
  held: { p99: number; max: number };
  turns: { p99: number; max: number };
  threads: Record<string, { most: number; asked: string }>;
  heap: number;
  rss: number;
}

/** In ms: how long the other threads may take to respond. */
const answeredMs = 200;
const turns = createHistogram();
const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
let before = cpu();
/** What the thread was asked for: in this turn, and in the longest one. */
let asked = '';
let longestAsked = '';
function endTurn() {
  const now = cpu();
  if (now - before > turns.max || turns.count === 0) longestAsked = asked;
  turns.record(Math.max(1, now - before));
  before = now;
}
// at most once a turn
setInterval(endTurn, 1).unref();
const longest = () => {
  const { max } = turns;
  turns.reset();
  return max / 1e3;
};
const channel = new BroadcastChannel('turns') as BroadcastChannel & { unref(): void };
channel.unref();

if (isMainThread) {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  let threads: Inside['threads'] = {};
  channel.addEventListener('message', (event) => {
    const { name, ...longestOf } = (event as MessageEvent<{ name: string; most: number; asked: string }>).data;
    if (longestOf.most > (threads[name]?.most ?? 0)) threads[name] = longestOf;
  });

  process.on('message', () => {
    const { heapUsed, rss } = process.memoryUsage();
    const { p99, max } = { p99: turns.percentile(99) / 1e3, max: longest() };
    const inside = {
      held: { p99: loop.percentile(99) / 1e6, max: loop.max / 1e6 },
      turns: { p99, max },
      heap: heapUsed / 1e6,
      rss: rss / 1e6,
    };
    loop.reset();
    threads = {};
    channel.postMessage('longest');
    setTimeout(() => process.send?.({ ...inside, threads } satisfies Inside), answeredMs);
  });
  // the message channel must not keep the process alive
  process.channel?.unref();
} else {
  // Node hands a thread all messages that wait in one turn of its loop, of which each is a turn of its own.
  const port = parentPort!;
  const on = port.on.bind(port) as (event: string, listener: (...values: never[]) => void) => typeof port;
  port.on = (event: string, listener: (...values: never[]) => void) => {
    if (event === 'message')
      on(event, (message: { request?: { sql?: string; type?: string } }) => {
        endTurn();
        const { sql, type } = message.request ?? {};
        asked = (sql ?? type ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 100);
      });
    return on(event, listener);
  };
  const name = basename(process.argv[1] ?? '').replace('.thread.ts', '');
  channel.addEventListener('message', (event) => {
    if ((event as MessageEvent).data !== 'longest') return;
    channel.postMessage({ name, most: longest(), asked: longestAsked });
  });
}
