import { formatNumber, t } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import './import-strip.css';
import { useImporter } from './importer-of.ts';
import { percentOf } from './time-left.ts';

/** The user's import in one line, and the way to its page. */
export function ImportStrip({ user_id }: { user_id: string }) {
  const job = useImporter({ user_id }).state();
  if (!job || job.phase === 'stopped') return null;
  const titles = { ...t.import.job, pausing: t.import.job.running };
  return (
    <Link to="/import" className="import-strip">
      <span className="import-strip-words">
        <Rich text={titles[job.phase]} file={<bdi>{job.plan.name}</bdi>} />
      </span>
      <span className="numbers">
        {t.import.job.percent(formatNumber(percentOf(job.made + job.notTaken.length, job.plan.rows)))}
      </span>
    </Link>
  );
}
