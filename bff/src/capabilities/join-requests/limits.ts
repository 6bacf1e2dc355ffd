/** Requests to join a public swarm. */
export const requestLimits = {
  /** The number of open ones of a user. */
  open: 1000,
  /** The number of open ones to a swarm. */
  ofSwarm: 10_000,
  /** The number of ended ones of a user that are kept. */
  kept: 1000,
  /** The number that a user sends in a day. */
  aDay: 1000,
  /** The number that a user sends to one swarm in a day. */
  aDayToSwarm: 500,
  /** The number of users that a swarm blocks. */
  blocked: 1000,
} as const;
