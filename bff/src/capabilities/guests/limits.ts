const MiB = 1024 * 1024;

/** People who look at a link without an account. */
export const guestLimits = {
  /** The number of streams of one link. If there are so many, a network that has fewer takes the newest place of the one that has most. */
  viewers: 50,
  /** The number of streams of all links in one process. If there are so many, a link whose owner has fewer takes the place of one whose owner has most. */
  viewersOfProcess: 200,
  /** In ms: what a link shows is sent at most once in this time, */
  eachMs: 1000,
  /** at most so many devices. Others follow in their order. As many are read at once. */
  devicesAtOnce: 1000,
  /** In ms: so long after the last viewer has gone, what is shown is held for the next one. */
  keptMs: 10_000,
} as const;

/** What one process remembers of it (`memoryTable` in core/limits/part-limits.ts). */
export const guestsMemory = {
  guest_lists: { what: 'bytes of the devices that links show; the owner who has most loses a list', most: 256 * MiB },
} as const;
