import { formatNumber } from '../../../text/text.ts';
import { Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import { words } from '../import-words.ts';
import './import-strip.css';
import { useImporter } from './importer-of.ts';
import { percentOf } from './time-left.ts';

/** The user's import in one line, and the way to its page. */
export function ImportStrip({ user_id }: { user_id: string }) {
  const job = useImporter({ user_id }).state();
  if (!job || job.phase === 'stopped') return null;
  const titles = { ...words.job, pausing: words.job.running };
  return (
    <Link to="/import" className="import-strip">
      <span className="import-strip-words">
        <Rich text={titles[job.phase]} file={<bdi>{job.plan.name}</bdi>} />
      </span>
      <span className="numbers">
        {words.job.percent(formatNumber(percentOf(job.made + job.notTaken.length, job.plan.rows)))}
      </span>
    </Link>
  );
}
