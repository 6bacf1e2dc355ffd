import { useSyncExternalStore } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { JobProgress } from '../../../ui/job-progress.tsx';
import type { Answers } from './answers.ts';

/** How far many answers are. On other pages it stands in their notice. */
export function AnswersProgress({ answers, jobKey }: { answers: Answers; jobKey: string }) {
  const job = useSyncExternalStore(answers.subscribe, () => answers.job(jobKey));
  if (!job) return null;
  const paused = job.state === 'paused';
  const { progress, paused: isPaused } = t.invitations.waiting;
  return (
    <JobProgress
      text={`${paused ? `${isPaused} · ` : ''}${progress(formatNumber(job.done), formatNumber(job.total))}`}
      paused={paused}
      words={t.invitations.waiting}
      onPause={() => answers.pause(jobKey)}
      onResume={() => answers.resume(jobKey)}
      onStop={() => answers.stop(jobKey)}
    />
  );
}
