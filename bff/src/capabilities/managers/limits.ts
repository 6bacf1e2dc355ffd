/** Managers and watchers. */
export const managerLimits = {
  /** The number in a swarm, with the users who were asked. */
  ofSwarm: 20,
  /** The number of requests of one owner to one user without an answer. */
  unanswered: 5,
} as const;
