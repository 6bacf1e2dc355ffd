import { readFileSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metric } from './text-format.ts';

const microseconds = 1e-6;
const nanoseconds = 1e-9;
/** The interval of the timer that measures the delay of the event loop. */
const resolutionMs = 10;

/**
 * Returns a function that reads processor time, memory, open files and the delay of the event loop, under the names that
 * other Node programs have for them. The delay is of the time since the last call.
 */
export function createProcessMetrics(): () => Metric[] {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  const maxFiles = maxOpenFiles();

  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
    const files = openFiles();
    const metric = (type: Metric['type'], name: string, help: string, value: number | undefined): Metric => ({
      name,
      type,
      help,
      series: value === undefined ? [] : [[{}, value]],
    });
    const metrics = [
      metric('counter', 'process_cpu_user_seconds_total', 'User processor time of all threads.', user * microseconds),
      metric(
        'counter',
        'process_cpu_system_seconds_total',
        'System processor time of all threads.',
        system * microseconds,
      ),
      metric('gauge', 'process_start_time_seconds', 'Unix time of the start.', startedAt),
      metric('gauge', 'process_resident_memory_bytes', 'Resident memory of all threads.', rss),
      metric('gauge', 'process_open_fds', 'Open files and connections.', files),
      metric('gauge', 'process_max_fds', 'The limit of open files and connections.', maxFiles),
      metric('gauge', 'nodejs_heap_size_total_bytes', 'Heap of the main thread.', heapTotal),
      metric('gauge', 'nodejs_heap_size_used_bytes', 'Used heap of the main thread.', heapUsed),
      metric('gauge', 'nodejs_external_memory_bytes', 'Memory of the main thread outside the heap.', external),
      metric('gauge', 'nodejs_eventloop_lag_p50_seconds', 'Delay of the main thread.', lag(delay.percentile(50))),
      metric('gauge', 'nodejs_eventloop_lag_p99_seconds', 'Delay of the main thread.', lag(delay.percentile(99))),
      metric('gauge', 'nodejs_eventloop_lag_max_seconds', 'Delay of the main thread.', lag(delay.max)),
    ];
    delay.reset();
    return metrics;
  };
}

/** In seconds. Node's figure has the interval of the timer in it. */
const lag = (measured: number) => Math.max(0, measured * nanoseconds - resolutionMs / 1000);

/** Undefined on systems without `/proc`. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

function maxOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
