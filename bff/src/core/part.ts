import type { QueueMeasurements } from './limits/fair-queue.ts';
import type { HourlyStep } from './limits/job-limits.ts';

/** A number for metrics, where its name is `swarmdeck_<name>`. */
export interface Gauge {
  name: string;
  help: string;
  value: number;
}

/** What runs by itself. */
export interface Part {
  /** Run at the start and every hour. Each has a row in `limits/job-limits.ts`. */
  everyHour?: readonly HourlyStep[];
  /** The server stops: ends streams and connections, which would keep it from stopping. */
  stop?: () => void;
  /** What waits in its queues, for metrics. */
  queues?: () => Record<string, QueueMeasurements | undefined>;
  /** What metrics show of it. */
  gauges?: () => readonly Gauge[];
  /** Ends threads, timers and processes. */
  close?: () => unknown;
}
