import type { Histogram } from './histogram.ts';
import type { StreamMeasurements } from './http/event-streams.ts';
import type { QueueMeasurements } from './limits/fair-queue.ts';
import type { Gauge } from './part.ts';

/** The numbers of all modules. Undefined: it could not be read in time, or there is no such part. */
export interface Measurements {
  feed: { entry: number; lag: number } | undefined;
  commits: { writes: Histogram; seconds: Histogram; failed: Record<string, number> };
  queues: Record<string, QueueMeasurements | undefined>;
  index: { bytes: number; audiences: number } | undefined;
  streams: StreamMeasurements;
  /** Devices that were heard since the last write, and the time since the last round. */
  notices: { unwritten: number; roundAgeMs: number };
  /** `waiting`: of all processes. `dropped`: too many have waited, or for too long. */
  mails: { waiting: number | undefined; counts: Record<'sent' | 'failed' | 'dropped', number> };
  /** Those of capabilities. */
  gauges: readonly Gauge[];
  /** Receivers of messages that wait, because their users have spent their deliveries. */
  receiversWaiting: number;
  /** The bytes of the messages of all users. */
  messageBytes: number | undefined;
  /** Rows of messages whose values are not kept yet, and messages that were deleted before they were. */
  values: { behind: number; missed: number } | undefined;
  /** Responses that have waited, so that a connection gets one in a second. */
  paced: number;
  /** Bytes of responses that clients have not read. */
  unsent: number;
  threadRestarts: Record<string, number>;
  /** `ageMs`: of the last one, if there is one. */
  backup: { ageMs: number | undefined; hasFailed: boolean } | undefined;
}
