/**
 * Loaded into a server by `node --import`. For each message it sends what there was since the one before: how long
 * the event loop was held up, and how long its turns were in processor time, which other programs on the machine do
 * not change; both in milliseconds. And what memory the process has, in megabytes.
 */
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface Inside {
  held: { p99: number; max: number };
  turns: { p99: number; max: number };
  heap: number;
  rss: number;
}

if (isMainThread) {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const turns = createHistogram();
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  let before = cpu();
  // at most once a turn
  setInterval(() => {
    const now = cpu();
    turns.record(Math.max(1, now - before));
    before = now;
  }, 1).unref();
  loop.enable();

  process.on('message', () => {
    const { heapUsed, rss } = process.memoryUsage();
    const inside: Inside = {
      held: { p99: loop.percentile(99) / 1e6, max: loop.max / 1e6 },
      turns: { p99: turns.percentile(99) / 1e3, max: turns.max / 1e3 },
      heap: heapUsed / 1e6,
      rss: rss / 1e6,
    };
    process.send?.(inside);
    loop.reset();
    turns.reset();
  });
  // being asked does not keep it from ending
  process.channel?.unref();
}
