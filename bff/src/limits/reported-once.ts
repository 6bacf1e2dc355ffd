import type { Report } from '../problem.ts';

/** One line in the log for each time that the database is away. */
export function reportedOnce(work: () => Promise<void>, report: Report): () => Promise<void> {
  let hasFailed = false;
  return async () => {
    try {
      await work();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) report(error);
      hasFailed = true;
    }
  };
}
