/** What a row of `jobLimits` has, and the rows that many jobs share. */
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
export const few: JobLimits = { rows: 20, KiB: 64, statements: 12 };
/** Deletes a bounded number of rows with each write, beside the deletions that the first step has begun. */
export const purge: JobLimits = { rows: 1000, KiB: 256, statements: 12 };
/** Parts are read when the client has read the one before. It writes nothing, but others may meanwhile. */
export const list: JobLimits = { rows: 1000, KiB: 512, statements: few.statements };
