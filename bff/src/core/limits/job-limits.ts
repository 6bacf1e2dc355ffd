/** What runs behind endpoints, or longer than the answer to its request, does at once: a row for each job and each stream. */
import { withCapabilities } from '../collect.ts';
import { few, list, purge, type JobLimits } from './job-rows.ts';

/** Streams have the names of their operations in `operationLimits`. */
export const jobLimits = withCapabilities('jobs', {
  // Run at the start and every hour.
  feedPurge: purge,
  missingTexts: purge,
  idempotencyPurge: purge,
  activityPurge: purge,
  invitationsPurge: purge,
  keysPurge: purge,
  sessionsPurge: purge,
  stepsPurge: purge,
  secretChange: purge,
  spaceGivenBack: few,
  /** The thread with the viewed devices: the feed, the build, and what ends. */
  index: {
    rows: 1000,
    KiB: 512,
    statements: few.statements,
    in: ['read-models/index/index-queries.ts', 'read-models/index/index.thread.ts', 'read-models/index/stale-refs.ts'],
  },
  /** What all subscribers of a process get of what was committed, here or by other processes. It writes nothing. */
  feed: { rows: 1000, KiB: 512, statements: 0 },

  listResources: list,
  exportResources: list,
  listSwarmsOfResource: list,
  listSwarms: list,
  getSwarm: list,
  listMembers: list,
  listSentInvitations: list,
  listInvitationsOfResource: list,
  listInvitations: list,
  streamEvents: { ...list, in: ['core/http/event-streams.ts'] },
  'GET /api/events': list,
} as const satisfies Record<string, JobLimits>);

/** A step that runs at the start and every hour. */
export interface HourlyStep {
  name: keyof typeof jobLimits;
  run: () => Promise<unknown>;
}
