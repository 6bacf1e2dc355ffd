/** What runs behind endpoints, or longer than the answer to its request, does at once: a row for each job and each stream. */
import {
  audienceLimits,
  consentLimits,
  deliveryLimits,
  mailLimits,
  presenceRound,
  shareLinkLimits,
  valueJob,
  valueLimits,
} from './part-limits.ts';

export interface JobLimits {
  /** One read returns so many rows at most, */
  rows: number;
  /** and so many KiB of them. */
  KiB: number;
  /** One write has so many statements at most. */
  statements: number;
  /** The files with its timers or runs. */
  in?: readonly string[];
}

/** Some rows, in commits of one user or of one record. */
const few: JobLimits = { rows: 20, KiB: 64, statements: 12 };
/** Deletes a bounded number of rows with each write, beside the deletions that the first step has begun. */
const purge: JobLimits = { rows: 1000, KiB: 256, statements: 12 };
/** Parts are read when the client has read the one before. It writes nothing, but others may meanwhile. */
const list: JobLimits = { rows: 1000, KiB: 512, statements: few.statements };

/** Run at the start and every hour, in this order. */
const hourly = {
  leftDeletions: purge,
  feedPurge: purge,
  missingTexts: purge,
  idempotencyPurge: purge,
  activityPurge: purge,
  tracksPurge: purge,
  actionsPurge: purge,
  invitationsPurge: purge,
  shareLinksPurge: purge,
  keysPurge: purge,
  values: {
    rows: valueJob.window,
    KiB: valueJob.windowBytes / 1024,
    statements: 4 * valueJob.devices,
    in: ['capabilities/values/record-values.store.ts'],
  },
  messagesPurge: { ...purge, in: ['capabilities/messages/trim.store.ts'] },
  presencePurge: purge,
  audiencePurge: purge,
  sessionsPurge: purge,
  stepsPurge: purge,
  rolesOfOthers: purge,
  demoTidy: purge,
  secretChange: purge,
  spaceGivenBack: few,
  backup: few,
} as const satisfies Record<string, JobLimits>;

/** Streams have the names of their operations in `operationLimits`. */
export const jobLimits = {
  ...hourly,
  presence: { rows: presenceRound.rows, KiB: 256, statements: 9, in: ['capabilities/presence/presence.ts'] },
  audienceNotices: {
    rows: audienceLimits.changes,
    KiB: 256,
    statements: 6,
    in: ['capabilities/audience-notices/audience.ts'],
  },
  consentEnds: {
    rows: consentLimits.ofRound,
    KiB: 512,
    statements: 6,
    in: ['capabilities/consent-ends/consent-ends.ts'],
  },
  /** A write adds mails, and those who wait for them. */
  mails: { rows: mailLimits.ofMail, KiB: 16, statements: 2 * mailLimits.ofMail + 1, in: ['capabilities/mail/mail.ts'] },
  deliveries: { rows: deliveryLimits.users, KiB: 256, statements: 4, in: ['capabilities/notices/webhooks.ts'] },
  actions: { rows: 500, KiB: 1024, statements: 20 },
  /** The thread with the viewed devices: the feed, the build, and what ends. */
  index: {
    rows: 4000,
    KiB: 2048,
    statements: few.statements,
    in: ['read-models/index/index-queries.ts', 'read-models/index/index.thread.ts', 'read-models/index/stale-refs.ts'],
  },
  /** What all subscribers of a process get of what was committed, here or by other processes. It writes nothing. */
  feed: { rows: 1000, KiB: 512, statements: 0 },
  /** One write has the values of a device: a block for each six hours of 30 days. */
  demo: { rows: 500, KiB: 64, statements: 128, in: ['capabilities/demo/demo-talk.ts'] },

  listResources: list,
  exportResources: list,
  listSwarmsOfResource: list,
  listSwarms: list,
  getSwarm: list,
  listMembers: list,
  listSentInvitations: list,
  listInvitationsOfResource: list,
  listInvitations: list,
  listJoinRequests: list,
  listOwnJoinRequests: list,
  getValues: { ...list, KiB: valueLimits.messageBytes / 1024 },
  getSwarmValues: { ...list, KiB: valueLimits.messageBytes / 1024 },
  exportMessages: { ...list, KiB: valueLimits.messageBytes / 1024 },
  'GET /api/actions/:id/results': list,
  /** What was missed is read in short ranges, because a client may read slowly: as a stream, as lines and as an array. */
  receiveMessages: { rows: 100, KiB: 256, statements: few.statements },
  streamEvents: { ...list, in: ['core/http/event-streams.ts'] },
  'GET /api/events': list,
  'GET /guest/events': {
    rows: shareLinkLimits.devicesAtOnce,
    KiB: 512,
    statements: few.statements,
    in: ['capabilities/guests/viewers.ts'],
  },
} as const satisfies Record<string, JobLimits>;

/** A step that runs at the start and every hour. */
export interface HourlyStep {
  name: keyof typeof hourly;
  run: () => Promise<unknown>;
}
