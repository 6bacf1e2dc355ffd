/** Devices that are offered to other users. */
export const handoverLimits = {
  /** The number that a user offers, */
  ofUser: 1000,
  /** and of these, those to the same user. */
  toUser: 100,
  /** The number that a user who is offered devices sees. */
  shown: 100,
  /** The number of swarms, and of requests to manage or watch some, that a user sees. */
  swarmsShown: 100,
} as const;
