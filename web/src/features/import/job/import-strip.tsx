import { formatNumber, t } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import './import-strip.css';
import { phaseOf, useImportJob } from './import.job.tsx';
import { percentOf } from './time-left.ts';

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
