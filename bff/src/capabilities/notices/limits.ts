/** Requests of one process to webhooks and push services. */
export const deliveryLimits = {
  /** The number of requests at the same time. */
  atOnce: 32,
  /** The number of requests in `atOnce` that may go to slow users. */
  slowAtOnce: 16,
  /** The number of users of whom one read looks for deliveries. */
  users: 1000,
  timeoutMs: 10_000,
  /** A user whose request takes longer than this is slow. */
  slowMs: 1000,
  /** How long a user is slow after such a request. */
  slowForMs: 600_000,
  /** After such a request, its user rests for so many times as long as it took. */
  restFactor: 5,
  /** How long an answer that is no success is read. */
  answerMs: 1000,
  /** How many characters of such an answer its owner is shown. */
  answerLength: 200,
  /** The number of interim answers (1xx) with which an answer may begin. */
  mostInterim: 10,
} as const;

/** What one process remembers of it (`memoryTable` in core/limits/part-limits.ts). */
export const noticesMemory = {
  notified_users: { what: 'users who were sent notices, and how slow their servers are', most: 20_000 },
} as const;
