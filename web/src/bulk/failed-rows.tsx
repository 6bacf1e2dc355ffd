import type { BulkJob } from '../api/jobs/bulk-job.ts';
import { errorSentence } from '../api/problem.ts';
import { formatNumber, t } from '../text/text.ts';
import { Bdi } from '../ui/rich.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import './bulk.css';

/** The count says how many there are. */
const mostShown = 100;

/** The rows that a job could not change, each with the reason. */
export function FailedRows<Row extends { id: string; name: string }>({
  title,
  job: { source, results },
  onRetry,
  onClose,
}: {
  title: string;
  job: Pick<BulkJob<object, readonly Row[]>, 'source' | 'results'>;
  onRetry(rows: readonly Row[]): void;
  onClose(): void;
}) {
  const failed = [...results].flatMap(([index, result]) => {
    const row = source?.[index];
    return row && !result.ok ? [{ row, error: result.error }] : [];
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button look="primary" sends onClick={() => onRetry(failed.map(({ row }) => row))}>
            {t.bulk.retry}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {t.bulk.close}
          </Button>
        </>
      }
    >
      <ul className="bulk-failed">
        {failed.slice(0, mostShown).map(({ row, error }) => (
          <li key={row.id}>
            <b>
              <Bdi>{row.name}</Bdi>
            </b>
            <span>{errorSentence(error)}</span>
          </li>
        ))}
        {failed.length > mostShown && <li>{t.bulk.more(formatNumber(failed.length - mostShown))}</li>}
      </ul>
    </Dialog>
  );
}
