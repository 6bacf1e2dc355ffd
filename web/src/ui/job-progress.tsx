import { useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import './job-progress.css';

/** What this component needs of the jobs of one kind. */
interface JobControls<Job> {
  subscribe(listener: () => void): () => void;
  job(key: string): Job | undefined;
  pause(key: string): void;
  resume(key: string): void;
  stop(key: string): void;
}

interface ShownJob {
  state: string;
  total: number;
  results: { size: number };
}

/** The progress of a running bulk job, with buttons to pause, resume and stop it. */
export function JobProgress<Job extends ShownJob>({
  jobs,
  jobKey,
  text,
  words,
  bar = false,
}: {
  jobs: JobControls<Job>;
  jobKey: string;
  text(job: Job): string;
  words: { pause: string; resume: string; stop: string };
  /** With a progress bar. */
  bar?: boolean;
}) {
  const job = useSyncExternalStore(jobs.subscribe, () => jobs.job(jobKey));
  if (job?.state !== 'running' && job?.state !== 'paused') return null;
  const isPaused = job.state === 'paused';
  const shown = text(job);
  return (
    <div className="job-progress numbers">
      {bar && <progress value={job.results.size} max={job.total} aria-label={shown} />}
      <span>{shown}</span>
      <Button size="small" onClick={() => (isPaused ? jobs.resume(jobKey) : jobs.pause(jobKey))}>
        {isPaused ? words.resume : words.pause}
      </Button>
      <Button size="small" onClick={() => jobs.stop(jobKey)}>
        {words.stop}
      </Button>
    </div>
  );
}
