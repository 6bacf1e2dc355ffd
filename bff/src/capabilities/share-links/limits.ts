/** Links that show a device or a swarm without an account. */
export const shareLinkLimits = {
  /** The number of open ones of a user. */
  open: 100,
  /** The number of open ones of a swarm: each shows up to as many devices as the swarm has. */
  openOfSwarm: 5,
  /** The number of days after which one ends at the latest. */
  days: 30,
} as const;
