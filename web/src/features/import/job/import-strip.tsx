import { formatNumber, t } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import './import-strip.css';
import { phaseOf, useImportJob } from './import.job.tsx';

/** The user's import in one line, with a link to its page. */
export function ImportStrip() {
  const { job } = useImportJob();
  if (!job || job.isStopped) return null;
  const titles = { ...t.import.job, pausing: t.import.job.running };
  return (
    <Link to="/import" className="import-strip">
      <span className="one-line">
        <Rich text={titles[phaseOf(job)]} file={<bdi>{job.about.name}</bdi>} />
      </span>
      <span className="numbers">{t.import.job.percent(formatNumber(percentOf(job.results.size, job.total)))}</span>
    </Link>
  );
}

/** Extrapolates the remaining time from the finished rows. Undefined while there are too few of them. */
export function timeLeft({ ms, done, rest }: { ms: number; done: number; rest: number }) {
  if (ms < 1500 || done === 0) return undefined;
  const seconds = (ms / 1000 / done) * rest;
  if (seconds >= 90) return { minutes: Math.round(seconds / 60), seconds: 0 };
  // Rounded to 5 s, because a number that changes all the time is hard to read.
  return { minutes: 0, seconds: seconds > 10 ? Math.ceil(seconds / 5) * 5 : Math.max(1, Math.ceil(seconds)) };
}

export function percentOf(done: number, all: number): number {
  return all === 0 ? 100 : Math.floor((done / all) * 100);
}
