import { useSyncExternalStore } from 'react';
import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { Answers } from './answers.ts';
import { words } from './invitation-words.ts';
import './job-progress.css';

/** How far many answers are, and how to hold them. On other pages it stands in their notice. */
export function JobProgress({ answers, jobKey }: { answers: Answers; jobKey: string }) {
  const job = useSyncExternalStore(answers.subscribe, () => answers.job(jobKey));
  if (!job) return null;
  const { state, done, total } = job;
  const paused = state === 'paused';
  const toggle = () => (paused ? answers.resume(jobKey) : answers.pause(jobKey));
  return (
    <div className="job-progress numbers">
      <span>
        {paused && `${words.waiting.paused} · `}
        {words.waiting.progress(formatNumber(done), formatNumber(total))}
      </span>
      <Button size="small" onClick={toggle}>
        {paused ? words.waiting.resume : words.waiting.pause}
      </Button>
      <Button size="small" onClick={() => answers.stop(jobKey)}>
        {words.waiting.stop}
      </Button>
    </div>
  );
}
