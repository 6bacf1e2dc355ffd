/** The track of a device. */
export const trackLimits = {
  /** The number of its last points that are kept, */
  points: 1000,
  /** for so many days. */
  days: 30,
  /** A position becomes a point if it is at least so many seconds after the last one, */
  apart: 1,
  /** and so many metres from it, */
  metres: 10,
  /** or, if it is another position, so many seconds after it. */
  seconds: 30,
} as const;
