import type { QueueMeasurements } from './limits/fair-queue.ts';
import type { HourlyStep } from './limits/job-limits.ts';

/** A part of the setup. `text`: what was found and, unless it is fine, what to do. */
export interface Finding {
  part: string;
  state: 'ok' | 'warning' | 'error';
  text: string;
}

/** A number for metrics, where its name is `swarmdeck_<name>`. */
export interface Gauge {
  name: string;
  help: string;
  value: number;
}

/** What runs by itself. */
export interface Part {
  /** Before a server answers: loads packages. All requests would wait for them. */
  load?: (() => Promise<unknown>) | undefined;
  /** Run at the start and every hour. Each has a row in `limits/job-limits.ts`. */
  everyHour?: readonly HourlyStep[];
  /** What it runs by a timer, by its name in `limits/job-limits.ts`, for tests. Resolves when it is done. */
  rounds?: Readonly<Record<string, () => Promise<unknown>>>;
  /** Encrypts with the first secret what another one has encrypted. Called after a change of the server's secret. */
  sealAllAgain?: () => Promise<unknown>;
  /** What `doctor` prints about its settings. */
  findings?: () => Promise<Finding[]>;
  /** The server stops: ends streams and connections, which would keep it from stopping. */
  stop?: () => void;
  /** What waits in its queues, for metrics. */
  queues?: () => Record<string, QueueMeasurements | undefined>;
  /** What metrics show of it. */
  gauges?: () => readonly Gauge[];
  /** Ends threads, timers and processes. */
  close?: () => unknown;
}
