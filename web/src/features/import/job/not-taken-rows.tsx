import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import type { NotTaken } from './import-plan.ts';

/** Beyond these nobody reads on; the total counts all of them. */
const mostShown = 100;

/** What passed here and was refused by the service all the same. */
export function NotTakenRows({ rows }: { rows: readonly NotTaken[] }) {
  return (
    <div className="job-refused">
      <p>{t.import.job.not_taken(rows.length, formatNumber(rows.length))}</p>
      <ul>
        {rows.slice(0, mostShown).map(({ line, name, code, detail }) => (
          <li key={line}>
            {t.import.check.line(formatNumber(line))} <bdi>{name}</bdi>:{' '}
            {problemSentence({ code, ...(detail && { detail }) })}
          </li>
        ))}
      </ul>
    </div>
  );
}
