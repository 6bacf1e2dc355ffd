/**
 * Loaded into a server by `node --import`. Responds to each message with the values since the previous one: how long
 * the event loop was blocked, and the processor time of its turns, which does not depend on other programs, both in
 * milliseconds; and the memory of the process in megabytes.
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
  // the message channel must not keep the process alive
  process.channel?.unref();
}
