import type { Ends, KeptJobs } from './kept-jobs.ts';
import { startJob } from './long-job.ts';
import type { LongJob } from './long-job.ts';

type Job<Row, End> = Parameters<typeof startJob<Row, End>>[0];

/**
 * A job on its way (long-job.ts) that is kept until it has ended (kept-jobs.ts): what is told has been kept before, in
 * a form that the browser can keep. Who sends it has begun to keep it; one alone is not kept.
 */
export function startKeptJob<Row, End, KeptEnd>({
  key,
  kept,
  keepEnd,
  tell,
  ...job
}: Job<Row, End> & {
  key: string;
  kept: Pick<KeptJobs<unknown, Row, KeptEnd>, 'add' | 'end'> | null;
  keepEnd: (end: End) => KeptEnd;
}): LongJob {
  const sending = startJob<Row, End>({
    ...job,
    tell(ends) {
      const told: Ends<KeptEnd> = ends.map(([place, end]) => [place, keepEnd(end)]);
      kept?.add(key, told);
      tell(ends);
    },
  });
  return { ...sending, done: sending.done.then(() => kept?.end(key)) };
}
